import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileServer, sends, startFileServer } from '../file-server.ts'
import { fixture, newKey, stack } from '../scenario.ts'
import { readSnippets } from '../snippets.ts'

// Debian's, which has httpx; another Python may come first in PATH.
const python = '/usr/bin/python3'
const client = fileURLToPath(new URL('../../../clients/python', import.meta.url))

let folder: string
let key: string
let site: FileServer

beforeAll(async () => {
  ;({ key } = await newKey({ slots: 4, scopes: ['task.read', 'task.write', 'account.read'] }))
  folder = mkdtempSync(join(tmpdir(), 'lathe-python-'))
  writeFileSync(join(folder, 'photo.jpg'), fixture('photo-100k.jpg'))
  writeFileSync(join(folder, 'letter.docx'), fixture('letter.docx'))
  site = await startFileServer({ '/photo.jpg': sends(fixture('photo-40k.jpg')) })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function run(program: string, args: readonly string[], cwd = folder) {
  const env = {
    PATH: '/usr/bin:/bin',
    PYTHONPATH: join(client, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    LATHE_URL: stack.url,
    LATHE_KEY: key,
  }
  return promisify(execFile)(program, args, { cwd, env, timeout: 100_000 })
}

// Each of them mostly waits.
describe.concurrent('the Python client', () => {
  it('converts, uploads in parts, follows, lists and reports errors', async () => {
    cpSync(new URL('./python-program.py', import.meta.url), join(folder, 'program.py'))
    const { stdout } = await run(python, ['program.py'])
    expect(JSON.parse(stdout)).toEqual({
      converted: ['photo.webp', 'WEBP', true],
      hashed: true,
      events: ['job.created', 'job.completed', 2],
      compressed: ['small.jpg', true],
      cropped: ['photo.jpg', true],
      trimmed: ['two.pdf', '%PDF-'],
      merged: '%PDF-',
      split: ['both-1.pdf', 'both-2.pdf'],
      marked: 'photo.jpg',
      packed: '1f8b',
      sent: [8_388_608, 9_000_000],
      returned: true,
      missing: ['not_found', true],
      invalid: ['tasks.result.output_format'],
      failed: ['processing_failed', 'input_damaged', 'result'],
      canceled: ['canceled'],
      text: 'text',
      listed: [true, false, 2],
      formats: true,
      options: true,
      limits: true,
    })
  })

  it('runs the snippets of its README', async () => {
    const snippets = readSnippets('clients/python/README.md').filter(({ notRun }) => notRun === undefined)
    expect(new Set(snippets.map(({ language }) => language))).toEqual(new Set(['python']))
    const program = snippets.map(({ code }) => code).join('\n\n')
    writeFileSync(join(folder, 'readme.py'), program.replaceAll('https://example.com', site.url))
    const { stdout } = await run(python, ['readme.py'])
    expect(stdout).toMatch(/^tasks\.result\.options\.quality /m)
    expect(stdout).toMatch(/^unsupported|^input_damaged/m)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['letter.pdf', 'small.webp']))
  })

  it('retries, resumes and verifies against a server that fails on demand', async () => {
    const args = ['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-t', '.', '-s', 'tests']
    const { stderr } = await run(python, args, client)
    expect(stderr).toMatch(/^Ran \d\d tests in [\d.]+s\n\nOK\n$/m)
  })
})
