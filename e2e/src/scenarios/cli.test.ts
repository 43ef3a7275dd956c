import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer, text } from 'node:stream/consumers'
import { type ApiEvent, unwrap } from '@lathe/sdk'
import { amount, waitFor } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { sends, startFileServer } from '../file-server.ts'
import { type InstalledCli, installCli } from '../install-cli.ts'
import { openOutput } from '../outputs.ts'
import { fixture, newKey, stack } from '../scenario.ts'

let cli: InstalledCli
let work: string
let key: string
let api: Client

beforeAll(async () => {
  cli = await installCli()
  ;({ key } = await newKey({ slots: 8, scopes: ['task.read', 'task.write', 'account.read'] }))
  api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
}, 120_000)
afterAll(() => cli[Symbol.dispose]())
beforeEach(() => {
  work = cli.newFolder()
})

const service = () => ({ LATHE_URL: stack.url, LATHE_KEY: key })
const start = (args: readonly string[]) => cli.start(args, { cwd: work, env: service() })
const lathe = (
  args: readonly string[],
  { env, input }: { readonly env?: Record<string, string>; readonly input?: Buffer } = {},
) => cli.run(args, { cwd: work, env: { ...service(), ...env }, ...(input && { input }) })

/** The most memory that a process has had; 0 if it has ended. */
function peakMiB(pid: number | undefined): number {
  const file = `/proc/${pid}/status`
  const status = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return Math.round(Number(/VmHWM:\s{0,20}(\d{1,12})/.exec(status)?.[1] ?? 0) / 1024)
}

const linesOf = (out: Buffer) => out.toString().trim().split('\n').filter(Boolean)

describe('the command line', () => {
  it('converts files found by a pattern, keeps their folders, and names what it wrote', async () => {
    mkdirSync(join(work, 'in/deep'), { recursive: true })
    for (const name of ['in/a.jpg', 'in/deep/b.jpg']) writeFileSync(join(work, name), fixture('photo-100k.jpg'))
    const args = ['convert', 'in/**/*.jpg', '--to', 'webp', '--quality', '60', '--width=80', '-o', 'out', '--keep-tree']
    const { code, out, err } = await lathe(args)
    expect(err).toContain('2 done')
    expect(code).toBe(0)
    expect(linesOf(out).sort()).toEqual(['out/a.webp', 'out/deep/b.webp'])
    expect(await sharp(join(work, 'out/deep/b.webp')).metadata()).toMatchObject({ format: 'webp', width: 80 })
    expect(readdirSync(join(work, 'out')).sort()).toEqual(['a.webp', 'deep'])
  })

  it('fails for existing files, unless it may skip or replace them', async () => {
    writeFileSync(join(work, 'a.png'), fixture('alpha.png'))
    writeFileSync(join(work, 'a.webp'), 'mine')
    const kept = await lathe(['convert', 'a.png', '--to', 'webp'])
    expect([kept.code, kept.err]).toEqual([1, expect.stringContaining('a.webp exists')])
    const skipped = await lathe(['convert', 'a.png', '--to', 'webp', '--skip-existing', '--json'])
    expect([skipped.code, linesOf(skipped.out).map((line) => JSON.parse(line).status)]).toEqual([0, ['skipped']])
    expect(readFileSync(join(work, 'a.webp'), 'utf8')).toBe('mine')
    expect((await lathe(['convert', 'a.png', '--to', 'webp', '--force'])).code).toBe(0)
    expect(readFileSync(join(work, 'a.webp')).toString('latin1', 8, 12)).toBe('WEBP')
  })

  it('prints with --dry-run what it would do, and does nothing', async () => {
    writeFileSync(join(work, 'a.png'), fixture('alpha.png'))
    const { totalDocs } = await api.jobs()
    const { code, out } = await lathe(['convert', 'a.png', '--to', 'jpg', '--dry-run', '--json'])
    expect([code, JSON.parse(out.toString())]).toEqual([0, { status: 'planned', file: 'a.png', outputs: ['a.jpg'] }])
    expect(existsSync(join(work, 'a.jpg'))).toBe(false)
    expect((await api.jobs()).totalDocs).toBe(totalDocs)
  })

  it('converts from stdin to stdout', async () => {
    const { code, out, err } = await lathe(['convert', '-', '--to', 'webp'], { input: fixture('alpha.png') })
    expect([code, err]).toEqual([0, ''])
    expect((await sharp(out).metadata()).format).toBe('webp')
  })

  it('writes every page of a document', async () => {
    cpSync(new URL('../../../fixtures/letter.docx', import.meta.url), join(work, 'letter.docx'))
    expect((await lathe(['convert', 'letter.docx', '--to', 'pdf'])).code).toBe(0)
    const { code, out } = await lathe(['convert', 'letter.pdf', '--to', 'png', '-o', 'pages'])
    expect(code).toBe(0)
    expect(linesOf(out).length).toBe(readdirSync(join(work, 'pages')).length)
  })

  it('does not overwrite a file that has the name of one of several results', async () => {
    writeFileSync(join(work, 'two.pdf'), fixture('two-pages.pdf'))
    const first = await lathe(['convert', 'two.pdf', '--to', 'png', '-o', 'pages'])
    const [page = ''] = linesOf(first.out)
    expect(linesOf(first.out).length).toBe(2)
    writeFileSync(join(work, page), 'mine')
    const again = await lathe(['convert', 'two.pdf', '--to', 'png', '-o', 'pages'])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('exists')])
    expect(readFileSync(join(work, page), 'utf8')).toBe('mine')
  })

  it('runs any other operation by its name', async () => {
    writeFileSync(join(work, 'a.pdf'), fixture('two-pages.pdf'))
    const split = await lathe(['run', 'split', 'a.pdf', '-o', 'parts'])
    expect([split.code, linesOf(split.out)]).toEqual([0, ['parts/a-1.pdf', 'parts/a-2.pdf']])
    expect((await lathe(['run', 'rotate', 'a.pdf', '--angle', '180', '-o', 'turned'])).code).toBe(0)
    expect(readdirSync(join(work, 'turned'))).toEqual(['a.pdf'])
    const text = await lathe(['run', 'ocr', '-', '--to', 'txt'], { input: fixture('two-pages.pdf') })
    expect([text.code, text.out.toString().trim()]).toEqual([0, expect.stringMatching(/\w/)])
    const wrong = await lathe(['run', 'rotte', 'a.pdf', '-o', 'out'])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Did you mean rotate?')])
    const inPlace = await lathe(['run', 'rotate', 'a.pdf'])
    expect([inPlace.code, inPlace.err]).toEqual([2, expect.stringContaining('--output DIR')])
  })

  it('compresses to a size, and merges', async () => {
    writeFileSync(join(work, 'a.jpg'), fixture('photo-100k.jpg'))
    cpSync(join(work, 'a.jpg'), join(work, 'B.JPG'))
    expect((await lathe(['compress', 'a.jpg', 'B.JPG', '--target-size', '20kB', '-o', 'small'])).code).toBe(0)
    expect(readdirSync(join(work, 'small')).sort()).toEqual(['B.JPG', 'a.jpg'])
    expect(statSync(join(work, 'small/a.jpg')).size).toBeLessThanOrEqual(20_000)
    const merged = await lathe(['merge', 'a.jpg', 'small/a.jpg', '-o', 'all.pdf'])
    expect(merged.code).toBe(0)
    expect(readFileSync(join(work, 'all.pdf')).toString('latin1', 0, 5)).toBe('%PDF-')
  })

  it('captures a web page, with the fields of the operation as flags', async () => {
    const page = '<title>A page</title><body style="margin: 0"><div style="height: 1000px"></div>'
    await using server = await startFileServer({ '/': sends(Buffer.from(page), { 'content-type': 'text/html' }) })
    const url = `${server.url}/`
    const printed = await lathe([
      'capture',
      url,
      '-o',
      'page.pdf',
      '--paper-size',
      'a5',
      '--footer',
      '{page} of {pages}',
    ])
    expect([printed.code, printed.out.toString()]).toEqual([0, 'page.pdf\n'])
    expect(await openOutput(readFileSync(join(work, 'page.pdf')))).toMatchObject({ format: 'pdf', width: 420 })
    const window = ['--viewport-width', '300', '--viewport-height=200', '--no-full-page']
    expect((await lathe(['capture', url, '-o', 'out/page.jpeg', ...window])).code).toBe(0)
    expect(await openOutput(readFileSync(join(work, 'out/page.jpeg')))).toMatchObject({ width: 300, height: 200 })
    expect((await lathe(['capture', url, '-o', 'page', '--output-format', 'mhtml', '--wait-for', 'body'])).code).toBe(0)
    for (const [wrong, code, message] of [
      [['-o', 'page.pdf'], 2, 'page.pdf exists'],
      [['-o', 'a.pdf', '--strip'], 2, '--strip does not apply to capture'],
      [['-o', 'a.pdf', '--margin', 'wide'], 2, '--margin is a number'],
      [['-o', 'a.png', '--header', 'x'], 1, 'header: applies to pdf only'],
      [['-o', 'a.html'], 1, 'output_format'],
    ] as const) {
      const end = await lathe(['capture', url, ...wrong])
      expect([end.code, end.err]).toEqual([code, expect.stringContaining(message)])
    }
  })

  it('packs files, and places one file on others', async () => {
    writeFileSync(join(work, 'a.jpg'), fixture('photo-100k.jpg'))
    cpSync(join(work, 'a.jpg'), join(work, 'logo.jpg'))
    expect((await lathe(['archive', 'a.jpg', 'logo.jpg', '-o', 'all.tar.gz'])).code).toBe(0)
    expect(readFileSync(join(work, 'all.tar.gz')).toString('hex', 0, 2)).toBe('1f8b')
    const marked = await lathe([
      'run',
      'watermark',
      'a.jpg',
      '--with',
      'overlay=logo.jpg',
      '--size',
      '20',
      '-o',
      'marked',
    ])
    expect([marked.code, marked.err]).toEqual([0, expect.any(String)])
    expect(readFileSync(join(work, 'marked/a.jpg')).equals(readFileSync(join(work, 'a.jpg')))).toBe(false)
    const wrong = await lathe(['run', 'watermark', 'a.jpg', '--with', 'logo.jpg', '-o', 'marked'])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('overlay=logo.png')])
  })

  it('refuses wrong options before anything is sent, and suggests the right ones', async () => {
    writeFileSync(join(work, 'a.jpg'), fixture('photo-100k.jpg'))
    const { totalDocs } = await api.jobs()
    const wrong: [string[], string][] = [
      [['--quality', '900'], '--quality is a whole number from 1 to 100, not 900.'],
      [['--fit', 'insid'], 'Did you mean inside?'],
      [['--crf', '20'], '--crf does not apply to jpg to webp.'],
      [['--qualty', '80'], 'Did you mean --quality?'],
    ]
    for (const [flags, says] of wrong) {
      const { code, err } = await lathe(['convert', 'a.jpg', '--to', 'webp', ...flags])
      expect([code, err]).toEqual([2, expect.stringContaining(says)])
    }
    const format = await lathe(['convert', 'a.jpg', '--to', 'wepb'])
    expect([format.code, format.err]).toEqual([2, expect.stringContaining('Did you mean webp?')])
    expect((await api.jobs()).totalDocs).toBe(totalDocs)
  })

  it('has an exit code for each kind of failure', async () => {
    writeFileSync(join(work, 'a.jpg'), fixture('photo-100k.jpg'))
    const convert = ['convert', 'a.jpg', '--to', 'webp']
    expect((await lathe(['convert', 'missing.jpg', '--to', 'webp'])).code).toBe(2)
    const stranger = await lathe(convert, { env: { LATHE_KEY: 'wrong' } })
    expect([stranger.code, stranger.err]).toEqual([3, expect.stringContaining('lathe login. Or set LATHE_KEY')])
    const alone = await lathe(['merge', 'a.jpg', '-o', 'all.pdf'])
    expect([alone.code, alone.err]).toEqual([
      2,
      expect.stringContaining('lathe: merge needs more files: at least 2, and this is 1.'),
    ])
    expect((await lathe(['nonsense'])).code).toBe(2)
    expect((await lathe([...convert, '--concurrency', '0'])).code).toBe(2)
    expect((await lathe(['watch', '.', '--to', 'webp', '-o', '.'])).code).toBe(2)
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect((await lathe(['--version'])).out.toString()).toBe(`${version}\n`)
    expect((await lathe(['doctor'])).code).toBe(0)
    expect((await lathe(['doctor', '--url', 'http://127.0.0.1:9'])).code).not.toBe(0)
  })

  it('converts many files without growing in memory, and reports the two that fail', async () => {
    const count = amount({ whole: 2000, sample: 40 })
    mkdirSync(join(work, 'in'))
    const photo = await sharp(fixture('photo-100k.jpg')).resize(64).jpeg().toBuffer()
    for (let n = 0; n < count; n += 1) writeFileSync(join(work, `in/${n}.jpg`), photo)
    writeFileSync(join(work, 'in/3.jpg'), 'no picture at all')
    writeFileSync(join(work, 'in/7.jpg'), photo.subarray(0, 20))
    const child = start(['convert', 'in', '--to', 'png', '-o', 'out', '--json', '--concurrency', '8'])
    const exited = once(child, 'close')
    child.stdin.end()
    child.stderr.resume()
    const startedAt = Date.now()
    const ended: { readonly status: string; readonly file: string }[] = []
    /** The most memory it has had by then, by the number of files that had ended. */
    const peaks = new Map<number, number>()
    for await (const line of createInterface(child.stdout)) {
      ended.push(JSON.parse(line))
      if (ended.length % (count / 10) === 0) peaks.set(ended.length, peakMiB(child.pid))
    }
    await exited
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    console.log(`${count} files in ${seconds} s; peak MiB by files: ${JSON.stringify([...peaks])}`)
    const failed = ended.filter(({ status }) => status === 'failed').map(({ file }) => file)
    expect(failed.sort()).toEqual(['in/3.jpg', 'in/7.jpg'])
    expect(readdirSync(join(work, 'out')).length).toBe(count - 2)
    expect(child.exitCode).toBe(1)
    expect(Math.max(...peaks.values())).toBeGreaterThan(20)
    expect(Math.max(...peaks.values())).toBeLessThan(200)
  }, 1_800_000)

  it('cancels what it started when it is interrupted', async () => {
    writeFileSync(join(work, 'a.mp4'), fixture('clip.mp4'))
    const child = start(['convert', 'a.mp4', '--to', 'webm', '--json'])
    const ended = once(child, 'close')
    const newest = async () => (await api.jobs('?per_page=1&include=tasks')).docs[0]
    const { totalDocs } = await api.jobs()
    await waitFor(async () => (await newest())?.status === 'processing', { withinMs: 60_000, what: 'a job that runs' })
    child.kill('SIGINT')
    await ended
    expect(child.exitCode).toBe(130)
    expect((await api.jobs()).totalDocs).toBeGreaterThanOrEqual(totalDocs)
    await waitFor(async () => (await newest())?.status === 'failed', {
      withinMs: 30_000,
      what: 'a job that is canceled',
    })
    expect((await newest())?.tasks?.map(({ status }) => status)).toContain('canceled')
    expect(readdirSync(work).sort()).toEqual(['a.mp4'])
  })

  it('processes each file that appears in a folder once', async () => {
    mkdirSync(join(work, 'in'))
    writeFileSync(join(work, 'in/a.png'), fixture('alpha.png'))
    const watch = ['watch', 'in', '--to', 'jpg', '-o', 'out', '--settle', '1', '--once']
    expect((await lathe(watch)).code).toBe(0)
    expect(readdirSync(join(work, 'out'))).toEqual(['a.jpg'])
    rmSync(join(work, 'out/a.jpg'))
    mkdirSync(join(work, 'in/deep'))
    writeFileSync(join(work, 'in/deep/a.png'), fixture('alpha.png'))
    expect((await lathe(watch)).code).toBe(0)
    expect(readdirSync(join(work, 'out'), { recursive: true }).sort()).toEqual(['deep', 'deep/a.jpg'])
  })

  it('forwards events to a local URL, signed like webhooks', async () => {
    await using own = new AsyncDisposableStack()
    const secret = 'whsec_c2VjcmV0IG9mIHRoZSByZWNlaXZlcg=='
    const received: ApiEvent[] = []
    const server = createServer(async (request, response) => {
      received.push(await unwrap(await text(request), request.headers, secret))
      response.end()
    })
    own.defer(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const address = `http://127.0.0.1:${port}/hook`
    const listening = start(['webhooks', 'listen', '--forward-to', address, '--secret', secret, '--json'])
    own.defer(() => void listening.kill('SIGKILL'))
    const lines: string[] = []
    createInterface(listening.stdout).on('line', (line) => lines.push(line))
    await once(listening.stderr, 'data')
    writeFileSync(join(work, 'a.png'), fixture('alpha.png'))
    // Events of before the stream was open are not in it.
    await waitFor(
      async () => {
        await lathe(['convert', 'a.png', '--to', 'webp', '--force'])
        return lines.some((line) => JSON.parse(line).type === 'job.completed')
      },
      { withinMs: 30_000, what: 'an event that was passed on' },
    )
    expect(lines.map((line) => JSON.parse(line).answer)).toEqual(lines.map(() => '200'))
    expect(received.map(({ type }) => type)).toContain('job.completed')
    listening.kill('SIGINT')
    await once(listening, 'exit')
    expect(listening.exitCode).toBe(130)
  })

  it('stores keys in profiles, readable by their owner only', async () => {
    const env = { LATHE_KEY: '', LATHE_URL: '' }
    const signedIn = await lathe(['login', '--url', stack.url, '--profile', 'home', '--key'], {
      env,
      input: Buffer.from(`${key}\n`),
    })
    expect(signedIn.code).toBe(0)
    const file = join(work, '.config/lathe/profiles.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await lathe(['usage', '--profile', 'home'], { env })).code).toBe(0)
    const unknown = await lathe(['usage', '--profile', 'away'], { env })
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('There are: home.')])
  })

  it('explains what to do if nobody can sign in through the browser', async () => {
    const { code, out, err } = await lathe(['login', '--url', stack.url])
    expect([code, out.length]).toEqual([3, 0])
    expect(err).toContain(`run: lathe login --url ${stack.url} --key`)
    expect((await lathe(['usage', '--key'])).code).toBe(2)
    expect((await lathe(['login', '--url', 'http://127.0.0.1:9'])).code).toBe(4)
  })

  it('lists formats, options and jobs, and completes', async () => {
    expect(linesOf((await lathe(['formats', 'docx'])).out)).toContain('pdf')
    expect((await lathe(['options', 'jpg', 'webp'])).out.toString()).toContain('--quality')
    const aimless = await lathe(['options', 'jpg'])
    expect([aimless.code, aimless.err]).toEqual([2, expect.stringContaining('lathe options jpg pdf')])
    const [line = ''] = linesOf((await lathe(['jobs', 'list', '--limit', '3', '--json'])).out)
    const { id } = JSON.parse(line) as { id: string }
    expect((await lathe(['jobs', 'show', id])).out.toString()).toContain('import/upload')
    for (const shell of ['bash', 'zsh', 'fish']) {
      expect((await lathe(['completion', shell])).out.toString()).toContain('webp')
    }
  })

  it.runIf(existsSync('/usr/bin/script'))('draws bars in a terminal', async () => {
    writeFileSync(join(work, 'a.jpg'), fixture('photo-100k.jpg'))
    const env = { ...service(), PATH: `${cli.bin}:${process.env.PATH}`, HOME: work, TERM: 'xterm' }
    const child = spawn('script', ['-qec', 'lathe convert a.jpg --to webp', '/dev/null'], { cwd: work, env })
    child.stdin.end()
    const [shown] = await Promise.all([buffer(child.stdout), once(child, 'close')])
    expect(shown.toString()).toMatch(/█.*100%|░/)
    expect(shown.toString()).toContain('done     a.jpg → a.webp')
    expect(child.exitCode).toBe(0)
  })
})
