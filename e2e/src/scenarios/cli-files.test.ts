import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { sends, stalls, startFileServer } from '../file-server.ts'
import { type InstalledCli, installCli } from '../install-cli.ts'
import { fixture, newKey, stack } from '../scenario.ts'

let cli: InstalledCli
let work: string
let env: Record<string, string>
let api: Client

beforeAll(async () => {
  cli = await installCli()
  const { key } = await newKey({ slots: 8, scopes: ['task.read', 'task.write'] })
  env = { LATHE_URL: stack.url, LATHE_KEY: key }
  api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
}, 120_000)
afterAll(() => cli[Symbol.dispose]())
beforeEach(() => {
  work = cli.newFolder()
})

const lathe = (args: readonly string[], input?: string) =>
  cli.run(args, { cwd: work, env, ...(input !== undefined && { input: Buffer.from(input) }) })
const linesOf = (out: Buffer) => out.toString().trim().split('\n').filter(Boolean)
const read = (name: string) => readFileSync(join(work, name))

describe('an input', () => {
  const photo = fixture('photo-100k.jpg')

  beforeEach(() => writeFileSync(join(work, 'a.jpg'), photo))

  it.each([
    ['compress', ['compress', 'a.jpg', '-o', '.', '--force']],
    ['run', ['run', 'crop', 'a.jpg', '--x', '1', '--y', '1', '--width', '9', '--height', '9', '-o', '.', '--force']],
    ['convert', ['convert', 'a.jpg', '--to', 'jpg', '--quality', '20', '--force']],
    ['convert, through a linked folder', ['convert', 'a.jpg', '--to', 'jpg', '-o', 'same', '--force']],
  ])('is not overwritten by %s, even with --force', async (_, args) => {
    symlinkSync('.', join(work, 'same'))
    const { code, err } = await lathe(args)
    expect([code, err]).toEqual([1, expect.stringMatching(/a\.jpg is an input, and inputs are never overwritten/)])
    expect(read('a.jpg').equals(photo)).toBe(true)
  })

  it('is not overwritten by the result of another one, or through a link', async () => {
    writeFileSync(join(work, 'a.png'), fixture('alpha.png'))
    mkdirSync(join(work, 'out'))
    linkSync(join(work, 'a.jpg'), join(work, 'out/hard.jpg'))
    symlinkSync(join(work, 'a.jpg'), join(work, 'out/soft.jpg'))
    for (const name of ['hard.png', 'soft.png']) writeFileSync(join(work, name), fixture('alpha.png'))
    const both = await lathe(['convert', 'a.jpg', 'a.png', '--to', 'jpg', '--force', '--quality', '20'])
    expect([both.code, both.err]).toEqual([1, expect.stringContaining('2 failed')])
    const links = await lathe(['convert', 'hard.png', 'soft.png', 'a.jpg', '--to', 'jpg', '-o', 'out', '--force'])
    expect([links.code, links.err]).toEqual([1, expect.stringContaining('1 done, 2 failed')])
    expect(read('a.jpg').equals(photo)).toBe(true)
  })

  it('is not overwritten by what is merged or packed', async () => {
    writeFileSync(join(work, 'a.pdf'), fixture('two-pages.pdf'))
    const merged = await lathe(['merge', 'a.jpg', 'a.pdf', '-o', 'a.pdf', '--force'])
    expect([merged.code, merged.err]).toEqual([2, expect.stringContaining('never overwritten')])
    expect(read('a.pdf').equals(fixture('two-pages.pdf'))).toBe(true)
  })

  it('needs another output folder if results have the same name', async () => {
    for (const args of [
      ['compress', 'a.jpg', '--force'],
      ['run', 'optimize', 'a.jpg', '--force'],
    ]) {
      const { code, err } = await lathe(args)
      expect([code, err]).toEqual([2, expect.stringContaining('--output DIR. Inputs are never overwritten.')])
    }
    expect(read('a.jpg').equals(photo)).toBe(true)
  })
})

describe('where files come from', () => {
  it('may be a URL', async () => {
    await using server = await startFileServer({ '/pictures/my%20photo.jpg': sends(fixture('photo-100k.jpg')) })
    const url = `${server.url}/pictures/my%20photo.jpg?size=1`
    const { code, out, err } = await lathe(['convert', url, '--to', 'webp', '--width', '64'])
    expect([code, linesOf(out)], err).toEqual([0, ['my photo.webp']])
    expect(read('my photo.webp').toString('latin1', 8, 12)).toBe('WEBP')
    writeFileSync(join(work, 'b.jpg'), fixture('photo-100k.jpg'))
    const merged = await lathe(['merge', url, 'b.jpg', '-o', 'all.pdf'])
    expect([merged.code, read('all.pdf').toString('latin1', 0, 5)], merged.err).toEqual([0, '%PDF-'])
    const missing = await lathe(['convert', `${server.url}/none.jpg`, '--to', 'png', '--json'])
    expect([missing.code, JSON.parse(missing.out.toString())]).toEqual([
      1,
      expect.objectContaining({ status: 'failed', file: `${server.url}/none.jpg` }),
    ])
    expect((await lathe(['convert', 'http://', '--to', 'png'])).err).toContain('is not a valid URL')
  })

  it('may be a list, from a file or from stdin', async () => {
    await using server = await startFileServer({ '/c.jpg': sends(fixture('photo-100k.jpg')) })
    mkdirSync(join(work, 'in'))
    for (const name of ['a b.jpg', 'in/b[1].jpg']) writeFileSync(join(work, name), fixture('photo-100k.jpg'))
    const lines = ['a b.jpg', '', 'in/b[1].jpg', `${server.url}/c.jpg`, 'a b.jpg']
    writeFileSync(join(work, 'list.txt'), lines.join('\r\n'))
    const listed = await lathe(['convert', '@list.txt', '--to', 'png', '-o', 'out'])
    expect([listed.code, readdirSync(join(work, 'out')).sort()], listed.err).toEqual([
      0,
      ['a b.png', 'b[1].png', 'c.png'],
    ])
    const piped = await lathe(['convert', '@-', '--to', 'gif', '-o', 'piped'], 'a b.jpg\n')
    expect([piped.code, readdirSync(join(work, 'piped'))], piped.err).toEqual([0, ['a b.gif']])
    const none = await lathe(['convert', '@none.txt', '--to', 'png'])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('There is no list none.txt')])
    writeFileSync(join(work, 'empty.txt'), '\n')
    expect((await lathe(['convert', '@empty.txt', '--to', 'png'])).code).toBe(2)
  })

  it('may be subfolders, which are kept with -r', async () => {
    mkdirSync(join(work, 'in/deep/er'), { recursive: true })
    for (const name of ['in/a.jpg', 'in/deep/a.jpg', 'in/deep/er/b.jpg', 'in/deep/c.png'])
      writeFileSync(join(work, name), fixture(name.endsWith('jpg') ? 'photo-100k.jpg' : 'alpha.png'))
    const found = async (...args: string[]) => {
      const { out } = await lathe(['convert', ...args, '--to', 'webp', '-o', 'out', '--dry-run', '--json'])
      return linesOf(out)
        .flatMap((line) => JSON.parse(line).outputs ?? [])
        .sort()
    }
    expect(await found('in/*.jpg')).toEqual(['out/a.webp'])
    expect(await found('-r', 'in/*.jpg')).toEqual(['out/a.webp', 'out/deep/a.webp', 'out/deep/er/b.webp'])
    expect(await found('--recursive', 'in')).toEqual([
      'out/a.webp',
      'out/deep/a.webp',
      'out/deep/c.webp',
      'out/deep/er/b.webp',
    ])
  })
})

describe('a folder that is watched', () => {
  const watch = ['watch', 'in', '--to', 'jpg', '-o', 'out', '--settle', '1']

  beforeEach(() => mkdirSync(join(work, 'in')))

  it('loses only converted files with --delete-after', async () => {
    writeFileSync(join(work, 'in/a.png'), fixture('alpha.png'))
    writeFileSync(join(work, 'in/broken.png'), 'no picture')
    const { code, err } = await lathe([...watch, '--once', '--delete-after'])
    expect([code, err]).toEqual([1, expect.stringContaining('broken.png')])
    expect(readdirSync(join(work, 'in'))).toEqual(['broken.png'])
    expect(readdirSync(join(work, 'out'))).toEqual(['a.jpg'])
    // A file of the same name, size and time is converted again: the first one is gone.
    rmSync(join(work, 'out/a.jpg'))
    writeFileSync(join(work, 'in/a.png'), fixture('alpha.png'))
    utimesSync(join(work, 'in/a.png'), 1, 1)
    await lathe([...watch, '--once', '--delete-after'])
    expect(existsSync(join(work, 'out/a.jpg'))).toBe(true)
    expect(existsSync(join(work, 'in/a.png'))).toBe(false)
  })

  it('keeps a file that was replaced while it was converted', async () => {
    writeFileSync(join(work, 'in/a.mp4'), fixture('clip.mp4'))
    const args = ['watch', 'in', '--to', 'webm', '-o', 'out', '--settle', '1', '--delete-after', '--json']
    const child = cli.start(args, { cwd: work, env })
    const ended = new Promise((done) => child.once('close', done))
    const newest = async () => (await api.jobs('?per_page=1&include=tasks')).docs[0]
    await waitFor(
      async () => {
        const job = await newest()
        return job?.tasks?.some(({ name, status }) => name === 'result' && status === 'processing')
      },
      { withinMs: 60_000, what: 'a conversion that runs' },
    )
    // Its new content takes longer than the test, or is no video: it must not be deleted by the end of the old one.
    writeFileSync(join(work, 'in/a.mp4'), 'another one')
    await waitFor(() => existsSync(join(work, 'out/a.webm')), { withinMs: 60_000, what: 'the result' })
    await waitFor(async () => (await newest())?.status !== 'processing', { withinMs: 60_000, what: 'the end' })
    child.kill('SIGINT')
    await ended
    expect(read('in/a.mp4').toString()).toBe('another one')
  })
})

it('cancels a job by its id', async () => {
  await using server = await startFileServer({ '/slow.jpg': stalls })
  const job = await api.createJob({ slow: { operation: 'import/url', url: `${server.url}/slow.jpg` } })
  const { code, err } = await lathe(['jobs', 'cancel', job.id])
  expect([code, err]).toEqual([0, ''])
  const shown = await lathe(['jobs', 'show', job.id, '--json'])
  const { status, tasks } = JSON.parse(shown.out.toString())
  expect([status, tasks.map((task: { status: string }) => task.status)]).toEqual(['failed', ['canceled']])
  expect((await lathe(['jobs', 'cancel', job.id])).code).toBe(0)
  const unknown = await lathe(['jobs', 'cancel', '0'.repeat(24)])
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringMatching(/^lathe: /)])
})
