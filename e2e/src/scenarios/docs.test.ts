import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { type FileServer, sends, startFileServer } from '../file-server.ts'
import { validatorOf } from '../openapi.ts'
import { root, runProgram, shellPrelude } from '../run-program.ts'
import { fixture, newKey, stack } from '../scenario.ts'
import { readSnippets, type Snippet } from '../snippets.ts'

const pages = ['README.md', 'docs/api/README.md', 'docs/events.md', 'docs/webhooks.md']

let folder: string
let site: FileServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-docs-'))
  site = await startFileServer({ '/photo.jpg': sends(fixture('photo-40k.jpg')) })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const run = (program: string, args: readonly string[], env: Record<string, string> = {}) =>
  runProgram(program, args, { cwd: root, env: { HOME: folder, ...env } })

/** All commands of a page in one shell, as a reader runs them one after another. */
async function runCommands(page: string, snippets: readonly Snippet[]): Promise<void> {
  const commands = snippets.map(({ where, code }) => `echo "== ${where}"\n${code}`)
  const script = [...shellPrelude, ...commands].join('\n').replaceAll('https://example.com', site.url)
  const file = join(folder, `${page.replaceAll('/', '-')}.sh`)
  await writeFile(file, script.replaceAll('/tmp/photo.webp', join(folder, 'photo.webp')))
  const { key } = await newKey({ slots: 8 })
  const { code, output } = await run('bash', [file], { API: stack.url, KEY: key })
  expect(code, output).toBe(0)
}

describe.each(pages)('the snippets of %s', (page) => {
  const snippets = readSnippets(page)
  const toRun = snippets.filter(({ notRun }) => notRun === undefined)
  const of = (language: string) => toRun.filter((snippet) => snippet.language === language)

  it('are all of a kind that is tested', () => {
    expect(snippets.length).toBeGreaterThan(0)
    for (const { language, where } of toRun) expect(['sh', 'json', 'http', 'js', ''], where).toContain(language)
  })

  if (of('sh').length > 0) it('run as commands', { timeout: 120_000 }, () => runCommands(page, of('sh')))

  if (of('http').length > 0)
    it('are requests that the service accepts', async () => {
      const { key } = await newKey()
      const api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
      for (const { code, where } of of('http')) {
        const [first = '', ...rest] = code.split('\n')
        const [method = '', target = ''] = first.split(' ')
        const body = rest.join('\n').trim()
        const { status, bytes } = await api.send(method, target, body === '' ? {} : { json: JSON.parse(body) })
        expect(status, `${where}: ${bytes}`).toBeLessThan(300)
      }
    })

  if (of('json').length > 0)
    it('are JSON, and of the schema they name', () => {
      for (const { code, note, where } of of('json')) {
        const value: unknown = JSON.parse(code)
        if (note === '') continue
        const validate = validatorOf(note)
        expect(validate(value), `${where}: ${JSON.stringify(validate.errors)}`).toBe(true)
      }
    })

  if (of('js').length > 0)
    it('are modules that can be loaded', async () => {
      for (const [n, { code, where }] of of('js').entries()) {
        const file = join(folder, `${page.replaceAll('/', '-')}-${n}.mjs`)
        await writeFile(file, code)
        const { code: status, output } = await run('node', ['--check', file])
        expect(status, `${where}: ${output}`).toBe(0)
      }
    })
})
