import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Lathe, type NewJob } from '@lathe/sdk'
import { startStack } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSnippets } from '../snippets.ts'
import { shareModules } from '../upgrade/check-out.ts'
import { root } from '../upgrade/root.ts'

/** A copy of the checkout with all that docs/extending.md adds, and the service running from it. */
let folder: string
let stack: Awaited<ReturnType<typeof startStack>>
let key: string

const snippets = readSnippets('docs/extending.md')
const changes = snippets.filter(({ language }) => language === 'diff')

beforeAll(async () => {
  // Open to all: sandboxes run as a user of their own.
  folder = mkdtempSync('/var/tmp/lathe-extended-')
  chmodSync(folder, 0o755)
  copySources(folder)
  for (const { language, file, code, where } of snippets) {
    if (!file) continue
    const path = join(folder, file)
    write(path, language === 'diff' ? change(readFileSync(path, 'utf8'), code, where) : `${code}\n`)
  }
  shareModules(folder)
  stack = await startStack({ checkout: folder })
  key = (await stack.createKey()).key
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function copySources(to: string): void {
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const archive = execFileSync('tar', ['-c', '--null', '--ignore-failed-read', '-T', '-'], {
    cwd: root,
    input: names,
    maxBuffer: 1024 ** 3,
  })
  execFileSync('tar', ['-x', '-C', to], { input: archive })
}

/** Adds the lines with a `+`, each below the line that the change has before it. */
function change(text: string, diff: string, where: string): string {
  const lines = text.split('\n')
  let at = 0
  for (const line of diff.split('\n')) {
    if (line.startsWith('+')) lines.splice(at, 0, line.slice(1))
    else if (lines.indexOf(line.slice(1), at) < 0) throw new Error(`${where}: there is no line "${line.slice(1)}"`)
    at = line.startsWith('+') ? at + 1 : lines.indexOf(line.slice(1), at) + 1
  }
  return lines.join('\n')
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Runs a job of the extended service and returns the result of its last task. */
async function run(tasks: Readonly<Record<string, unknown>>): Promise<string> {
  // The SDK's types do not have what the page adds.
  const job = await new Lathe({ baseUrl: stack.url, key }).jobs.create({ tasks: tasks as NewJob<string>['tasks'] })
  const { now } = await job.done({ evenIfFailed: true })
  expect(now.status, `${JSON.stringify(now)}\n${stack.tails()}`).toBe('completed')
  const [file] = job.files('link')
  return Buffer.from((await file?.bytes()) ?? []).toString()
}

const greeting = { operation: 'import/greeting', name: 'you' }
const link = (input: string) => ({ operation: 'export/url', input })

it('the page changes no more files than it says', () => {
  const lines = (named: string) =>
    changes.filter(({ file }) => file === named).flatMap(({ code }) => code.match(/^\+.*$/gm) ?? [])
  const named = (file: string) => lines(file).filter((line) => !line.startsWith('+import '))
  expect(lines('packages/formats/src/archive-and-text.ts')).toHaveLength(1)
  expect(named('packages/engines/src/engines.ts')).toEqual(['+  rotateText,', '+  shout,'])
  expect(named('packages/operations/src/operations.ts')).toEqual(['+  shout,', '+  importGreeting,'])
  expect(named('packages/connectors/src/connectors.ts')).toEqual(['+  greeting,'])
})

it('a connector, an operation and a warm engine work', async () => {
  const options = { marks: 3 }
  expect(await run({ greeting, loud: { operation: 'shout', input: 'greeting', options }, link: link('loud') })).toBe(
    'HELLO YOU!!!\n',
  )
})

it('an operation with two roles accepts a file for each', async () => {
  const other = { operation: 'import/greeting', name: 'all' }
  const loud = { operation: 'shout', input: 'greeting', echo: 'other' }
  expect(await run({ greeting, other, loud, link: link('loud') })).toBe('HELLO YOU HELLO ALL!\n')
})

it('a format, an engine and an option work', async () => {
  const rotated = (options: unknown) => ({ operation: 'convert', input: 'greeting', output_format: 'rot', options })
  expect(await run({ greeting, turned: rotated({}), link: link('turned') })).toBe('Uryyb lbh\n')
  expect(await run({ greeting, turned: rotated({ letters: 'lower' }), link: link('turned') })).toBe('Hryyb lbh\n')
})

it('all of it is found by the queries, and the endpoint answers', async () => {
  const get = async (path: string) => {
    const response = await fetch(`${stack.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })
    return (await response.json()) as Record<string, unknown>
  }
  expect(await get('/v1/query/formats/convert?input_format=rot13')).toMatchObject({
    formats: [{ ext: 'text', alias_of: 'txt' }, { ext: 'txt' }],
  })
  expect(await get('/v1/query/options/shout?input_format=txt')).toMatchObject({ options: [{ name: 'marks' }] })
  const { time } = await get('/v1/ping')
  expect(Date.now() - Date.parse(String(time))).toBeLessThan(60_000)
  const { paths } = await get('/openapi.json')
  const added = Object.keys(paths ?? {}).filter((path) => /(greeting|shout|v1\/ping)$/.test(path))
  expect(added.map((path) => path.split('/').at(-1)).sort()).toEqual(['greeting', 'ping', 'shout', 'shout', 'shout'])
})

// Last, because it holds up everything else here: connections would end unnoticed meanwhile.
it('what it adds passes the type check', () => {
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', '.'], { cwd: folder })
  expect(String(stdout)).toBe('')
})
