import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { openZip } from '../outputs.ts'
import { fixture } from '../scenario.ts'
import { openConverter } from './files.ts'
import { closeBrowser } from './visit.ts'

afterAll(closeBrowser)

const isSample = process.env.LATHE_TEST_SIZE === 'sample'
const amount = isSample ? 40 : 500
const days = 8
/** What a person does not notice; what is longer is felt as a page that hangs. */
const longestTaskMs = 200

const pathOf = (n: number) => ({ folder: `day ${n % days}/<b>${n % 2}`, name: `photo ${Math.floor(n / 16)}` })

async function writeAlbum(into: string): Promise<readonly string[]> {
  const photo = fixture('rotated-exif.jpg')
  const paths = Array.from({ length: amount }, (_, n) => pathOf(n))
  for (const { folder } of paths) await mkdir(join(into, folder), { recursive: true })
  // Hidden files stay where they are.
  await writeFile(join(into, '.hidden'), 'x')
  await Promise.all(paths.map(({ folder, name }, n) => writeFile(join(into, folder, `${name}-${n}.jpg`), photo)))
  return paths.map(({ folder, name }, n) => `album/${folder}/${name}-${n}`)
}

/** Drops a folder of the disk on the page, as a file manager does. */
async function drop(page: Page, folder: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [folder], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 640, y: 300, data })
  }
  await session.detach()
}

/** Counts how many streams of events are open at once at most. */
function watchStreams(page: Page): { readonly most: number } {
  const streams = { now: 0, most: 0 }
  const count = (request: Request, change: number) => {
    if (!request.url().endsWith('/v1/process/events')) return
    streams.now += change
    streams.most = Math.max(streams.most, streams.now)
  }
  page.on('request', (request) => count(request, 1))
  page.on('requestfinished', (request) => count(request, -1))
  page.on('requestfailed', (request) => count(request, -1))
  return streams
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** In microseconds: how long it took, and for how much of it the thread had a processor. */
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Notes every task of the page's main thread; what it gives tells the longest, in milliseconds of the processor: how long
 * it took on the clock says more about what else this machine does.
 */
async function startTrace(page: Page): Promise<() => Promise<{ readonly worked: number; readonly took: number }>> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['toplevel', '__metadata'] })
  return async () => {
    const text = (await browser?.stopTracing())?.toString() ?? '{}'
    const { traceEvents = [] } = JSON.parse(text) as { traceEvents?: TraceEvent[] }
    const main = new Set(
      traceEvents
        .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    )
    const tasks = traceEvents.filter(
      ({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && main.has(`${pid} ${tid}`),
    )
    if (tasks.length === 0) throw new Error('the trace tells of no task')
    const longest = (key: 'dur' | 'tdur') => Math.round(Math.max(...tasks.map((task) => task[key] ?? 0)) / 1000)
    return { worked: longest('tdur'), took: longest('dur') }
  }
}

describe(`${amount} files in one drop`, () => {
  it('are all converted over one stream of events, never hold up the page, and come as one ZIP with their folders', async () => {
    await using own = new AsyncDisposableStack()
    const place = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-many-')), (made) => rm(made, { recursive: true }))
    const album = join(place, 'album')
    const paths = await writeAlbum(album)
    await using visit = await openConverter()
    const { page } = visit
    const streams = watchStreams(page)
    const stopTrace = await startTrace(page)

    await drop(page, album)
    await page.getByRole('button', { name: `Convert ${amount} files` }).click()
    await page.getByText(`${amount} of ${amount} done`).waitFor({ timeout: 400_000 })
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    const all = page.getByRole('button', { name: 'Download all (ZIP)' })
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), all.click()])

    const zip = await openZip(await readFile(await download.path()))
    expect([...zip.keys()].sort()).toEqual(paths.map((path) => `${path}.webp`).sort())
    for (const bytes of zip.values()) expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
    expect(streams.most).toBe(1)
    const { worked, took } = await stopTrace()
    console.log(`${amount} files: the longest task of the page worked ${worked} ms and took ${took} ms`)
    expect(worked).toBeLessThanOrEqual(longestTaskMs)
    expect(await page.getByRole('article').count()).toBeLessThan(60)
  }, 600_000)
})
