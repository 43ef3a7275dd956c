import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Lathe, NotFoundError, TaskFailedError } from '@lathe/sdk'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sends, startFileServer } from '../file-server.ts'
import { fixture, newKey, stack } from '../scenario.ts'

let lathe: Lathe
let folder: string

beforeAll(async () => {
  const { key } = await newKey({ slots: 4, scopes: ['task.read', 'task.write', 'account.read'] })
  lathe = new Lathe({ baseUrl: stack.url, key })
  folder = await mkdtemp(join(tmpdir(), 'lathe-sdk-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the SDK', () => {
  it('converts a local file in one line, and saves the result', async () => {
    const path = join(folder, 'letter.docx')
    await writeFile(path, fixture('letter.docx'))
    const types: string[] = []
    const pdf = await lathe.convert(path, 'pdf', { pages: '1' }, { onEvent: ({ type }) => void types.push(type) })
    expect(pdf.name).toBe('letter.pdf')
    const saved = await pdf.save(join(folder, 'out.pdf'))
    expect((await readFile(saved)).subarray(0, 5).toString()).toBe('%PDF-')
    expect(types[0]).toBe('job.created')
    expect(types.at(-1)).toBe('job.completed')
  })

  it('accepts bytes, Blobs and streams, and compresses', async () => {
    const photo = fixture('photo-100k.jpg')
    const options = { quality: 60 } as const
    const bytes = await lathe.convert(new Uint8Array(photo), 'webp', options, { name: 'a.jpg' })
    expect((await bytes.bytes()).subarray(8, 12)).toEqual(new TextEncoder().encode('WEBP'))
    const file = new File([new Uint8Array(photo)], 'holiday.jpg')
    expect((await lathe.convert(file, 'png')).name).toBe('holiday.png')
    const { body } = new Response(new Uint8Array(photo))
    if (!body) throw new Error('no stream')
    const small = await lathe.compress({ stream: body, size: photo.length }, {}, { name: 'b.jpg' })
    expect(small.size).toBeLessThan(photo.length)
  })

  it('crops and trims', async () => {
    const photo = new Uint8Array(fixture('photo-100k.jpg'))
    const cut = await lathe.crop(photo, { x: 10, y: 10, width: 40, height: 30 }, { name: 'a.jpg' })
    expect(await sharp(await cut.bytes()).metadata()).toMatchObject({ width: 40, height: 30 })
    const tone = await lathe.trim(
      new Uint8Array(fixture('tone.flac')),
      { start: '0', end: '0.2' },
      { name: 'tone.flac' },
    )
    expect(tone.size).toBeLessThan(fixture('tone.flac').length)
  })

  it('sends a large file in parts', async () => {
    const bytes = new Uint8Array(randomBytes(20_000_000))
    const job = await lathe.jobs.create({
      tasks: { file: { operation: 'import/upload' }, link: { operation: 'export/url', input: 'file' } },
    })
    const sent: number[] = []
    await job.upload('file', bytes, { name: 'noise.bin', onProgress: (now) => void sent.push(now) })
    expect(sent).toEqual([8_388_608, 16_777_216, 20_000_000])
    const [file] = (await job.done()).files()
    expect(Buffer.compare(Buffer.from((await file?.bytes()) ?? []), Buffer.from(bytes))).toBe(0)
  })

  it('has a file fetched from a URL', async () => {
    await using server = await startFileServer({ '/photo.jpg': sends(fixture('photo-100k.jpg')) })
    const webp = await lathe.convert(new URL(`${server.url}/photo.jpg`), 'webp', { width: 64 })
    expect([webp.name, (await sharp(await webp.bytes()).metadata()).width]).toEqual(['photo.webp', 64])
  })

  it('downloads the results of a job as one ZIP', async () => {
    const file = `data:application/pdf;base64,${fixture('two-pages.pdf').toString('base64')}`
    const job = await lathe.jobs.create({
      tag: 'pages',
      tasks: {
        document: { operation: 'import/base64', file, filename: 'two.pdf' },
        images: { operation: 'convert', input: 'document', output_format: 'png' },
        text: { operation: 'convert', input: 'document', output_format: 'txt' },
        links: { operation: 'export/url', input: ['images', 'text'] },
      },
    })
    await job.done()
    const zip = await job.zip()
    expect([zip.name, zip.size > 1000]).toEqual(['pages.zip', true])
    const path = await zip.save(join(folder, 'pages.zip'))
    const { stdout } = await promisify(execFile)('python3', ['-m', 'zipfile', '-l', path])
    expect(stdout.match(/\S+\.(?:png|txt)/g)?.length).toBe(3)
    expect((await readFile(path)).length).toBe(zip.size)
    expect((await (await job.zip('text')).bytes()).subarray(0, 2)).toEqual(new TextEncoder().encode('PK'))
  })

  it('reports why a task failed', async () => {
    const path = join(folder, 'broken.png')
    await writeFile(path, Buffer.concat([fixture('alpha.png').subarray(0, 60), Buffer.alloc(40)]))
    const failed = await lathe.convert(path as `${string}.png`, 'jpg').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(TaskFailedError)
    expect(failed).toMatchObject({ reason: 'input_damaged', errorCode: 'processing_failed', task: { name: 'result' } })
  })

  it('lists with cursors, queries formats, options and the account, and reports missing resources', async () => {
    const ids: string[] = []
    for await (const { id } of lathe.jobs.list({ status: 'completed' })) ids.push(id)
    expect(ids.length).toBeGreaterThanOrEqual(5)
    expect(new Set(ids).size).toBe(ids.length)
    const { id } = await lathe.jobs.get(ids[0] ?? '')
    expect(id).toBe(ids[0])
    await expect(lathe.jobs.get('0'.repeat(24))).rejects.toBeInstanceOf(NotFoundError)
    expect(JSON.stringify(await lathe.options('convert', { from: 'jpg', to: 'webp' }))).toContain('quality')
    expect(await lathe.account()).toMatchObject({ limits: expect.anything() })
    expect(await lathe.formats()).toBeDefined()
  })

  it('stops when its signal is aborted', async () => {
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await expect(lathe.convert('a.docx', 'pdf', {}, { signal: stop.signal })).rejects.toThrow('enough')
  })
})
