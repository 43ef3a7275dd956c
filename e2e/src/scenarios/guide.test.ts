import { createHmac } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WebhookWithSecret } from '@lathe/contract'
import { answersWith, startReceiver } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../fixtures/fixtures.ts'
import { type FileServer, sends, startFileServer } from '../file-server.ts'
import { validatorOf } from '../openapi.ts'
import { root, runProgram, shellPrelude } from '../run-program.ts'
import { fixture, newClient, newKey, stack } from '../scenario.ts'
import { readSnippets, type Snippet } from '../snippets.ts'

const source = 'apps/guide/src/content/docs'
const names = (await readdir(join(root, source), { recursive: true })).filter((name) => name.endsWith('.mdx')).sort()

/** What the code of a README needs in addition to the files of all pages, and the files it makes. */
const readmes: readonly {
  readonly name: string
  readonly needs: Readonly<Record<string, FixtureName>>
  readonly makes: readonly string[]
}[] = [
  { name: 'packages/sdk/README.md', needs: {}, makes: ['letter.pdf', 'photo.webp'] },
  {
    name: 'apps/cli/README.md',
    needs: {
      'reports/2026/letter.docx': 'letter.docx',
      'photo.png': 'alpha.png',
      'one.pdf': 'two-pages.pdf',
      'two.pdf': 'two-pages.pdf',
      'book.pdf': 'two-pages.pdf',
    },
    makes: ['out/2026/letter.pdf', 'photo.webp', 'small/tree.jpg', 'all.pdf', 'parts', 'page.pdf'],
  },
]
const pages = [
  ...names.map((name) => ({ name, snippets: readSnippets(`${source}/${name}`) })),
  ...readmes.map(({ name }) => ({ name, snippets: readSnippets(name) })),
]
const known = ['sh', 'ts', 'json', 'python', 'go', 'php']

let folder: string
let site: FileServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-guide-'))
  site = await startFileServer({
    '/': sends(Buffer.from('<title>Example</title><h1>Example</h1>'), { 'content-type': 'text/html' }),
    '/photo.jpg': sends(fixture('photo-40k.jpg')),
  })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (const { name, snippets } of pages) await prepare(folderOf(name), snippets)
  for (const { name, needs } of readmes)
    for (const [file, from] of Object.entries(needs)) await cp(fixturePath(from), join(folderOf(name), file))
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const folderOf = (name: string) => join(folder, name.replace('.mdx', '').replaceAll('/', '-'))

/** What a page says, with the service and the site of this test in place of examples. */
const localized = (code: string) =>
  code.replaceAll('https://lathe.example.com', stack.url).replaceAll('https://example.com', site.url)

/** The files that the pages speak of, and the code of one page: a program per language, and the files it names. */
async function prepare(work: string, snippets: readonly Snippet[]): Promise<void> {
  await mkdir(join(work, 'photos/2026'), { recursive: true })
  for (const file of ['photo.jpg', 'photos/2026/tree.jpg']) await cp(fixturePath('photo-40k.jpg'), join(work, file))
  await cp(fixturePath('letter.docx'), join(work, 'letter.docx'))
  await cp(fixturePath('two-pages.pdf'), join(work, 'report.pdf'))
  await writeFile(join(work, 'broken.jpg'), 'not an image')
  const toRun = snippets.filter(({ notRun }) => notRun === undefined)
  for (const { file, code } of toRun) if (file !== undefined) await writeFile(join(work, file), localized(code))
  const programOf = (language: string) => toRun.filter((one) => one.file === undefined && one.language === language)
  const ts = programOf('ts').map(({ code }) => localized(code))
  if (ts.length > 0) await writeFile(join(work, 'main.ts'), ts.join('\n'))
  const python = programOf('python').map(({ code }) => localized(code))
  if (python.length > 0) await writeFile(join(work, 'main.py'), python.join('\n'))
  const sh = programOf('sh').map(({ where, code }) => `echo "== ${where}"\n${localized(code)}`)
  const lathe = `lathe() { node ${root}apps/cli/src/main.ts "$@"; }`
  if (sh.length > 0) await writeFile(join(work, 'main.sh'), [...shellPrelude, lathe, ...sh].join('\n'))
}

async function run(work: string, program: string, ...args: string[]): Promise<string> {
  const { key } = await newKey({ slots: 8 })
  const service = { API: stack.url, KEY: key, LATHE_URL: stack.url, LATHE_KEY: key }
  const python = { PYTHONPATH: join(root, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
  const env = { HOME: work, GOCACHE: join(folder, '.go'), GO111MODULE: 'off', ...python, ...service }
  const { code, output } = await runProgram(program, args, { cwd: work, env })
  expect(code, output).toBe(0)
  return output.trim()
}

it('has code that can be tested, in languages that are tested', () => {
  const snippets = pages.flatMap((page) => page.snippets)
  for (const { language, where, notRun } of snippets) if (notRun === undefined) expect(known, where).toContain(language)
  for (const language of known) expect(snippets.map((one) => one.language)).toContain(language)
})

it('has TypeScript that compiles', async () => {
  const compilerOptions = {
    strict: true,
    target: 'ES2024',
    lib: ['ES2024', 'ESNext.Disposable'],
    module: 'NodeNext',
    moduleDetection: 'force',
    types: ['node'],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts'] }))
  await run(folder, 'tsc', '-p', '.')
})

describe.each(pages.filter(({ snippets }) => snippets.length > 0))('the code of $name', ({ name, snippets }) => {
  const runs = (language: string) =>
    snippets.some((one) => one.language === language && one.notRun === undefined && one.file === undefined)

  if (runs('sh')) it('runs as commands', () => run(folderOf(name), 'bash', 'main.sh'))
  if (runs('ts')) it('runs as TypeScript', () => run(folderOf(name), 'node', 'main.ts'))
  // Debian's has httpx; another Python may come first in PATH.
  if (runs('python')) it('runs as Python', () => run(folderOf(name), '/usr/bin/python3', 'main.py'))

  it('is JSON of the schema it names', () => {
    for (const { language, note, code, where, notRun } of snippets) {
      if (language !== 'json' || notRun !== undefined) continue
      const validate = validatorOf(note)
      expect(validate(JSON.parse(code)), `${where}: ${JSON.stringify(validate.errors)}`).toBe(true)
    }
  })
})

it.each(readmes)('the code of $name produces the documented result', async ({ name, makes }) => {
  for (const file of makes) {
    const made = await stat(join(folderOf(name), file))
    const size = made.isDirectory() ? (await readdir(join(folderOf(name), file))).length : made.size
    expect([file, size > 0]).toEqual([file, true])
  }
})

/** Programs that give deliveries to the function of the page, and print the type of those it accepts. */
const receivers = {
  'accept.ts': `import { readFileSync } from 'node:fs'
import { verify } from './verify.ts'
for (const { secret, headers, body } of JSON.parse(readFileSync('deliveries.json', 'utf8'))) {
  try { console.log((verify(secret, headers, body) as { type: string }).type) } catch { console.log('refused') }
}`,
  'accept.py': `import json
from verify import verify
for one in json.load(open("deliveries.json")):
    try:
        print(verify(one["secret"], one["headers"], one["body"].encode())["type"])
    except ValueError:
        print("refused")`,
  'accept.go': `package main
import ("encoding/json"; "fmt"; "os")
func main() {
	var all []struct { Secret string; Headers map[string]string; Body string }
	text, _ := os.ReadFile("deliveries.json")
	if err := json.Unmarshal(text, &all); err != nil { panic(err) }
	for _, one := range all {
		event, err := Verify(one.Secret, one.Headers, []byte(one.Body))
		if err != nil { fmt.Println("refused") } else { fmt.Println(event["type"]) }
	}
}`,
  'accept.php': `<?php
require 'verify.php';
foreach (json_decode(file_get_contents('deliveries.json'), true) as $one) {
    try { echo verify($one['secret'], $one['headers'], $one['body'])['type'], "\\n"; } catch (RuntimeException) { echo "refused\\n"; }
}`,
}

describe('the code of verify-webhooks.mdx', () => {
  let work: string

  beforeAll(async () => {
    work = folderOf('verify-webhooks.mdx')
    await using receiver = await startReceiver(answersWith(204))
    const api = await newClient()
    const { body: webhook } = await api.post<WebhookWithSecret>('/v1/webhooks', { url: receiver.url, enabled: false })
    await api.post(`/v1/webhooks/${webhook.id}/ping`, undefined, { prefer: 'wait=30' })
    const { headers, body } = receiver.received[0] ?? { headers: {}, body: '' }
    const genuine = { secret: webhook.secret, headers, body }
    const changed = { ...genuine, body: body.replace('webhook.ping', 'job.completed') }
    const other = { ...genuine, secret: 'whsec_b3RoZXIgc2VjcmV0' }
    const all = [genuine, changed, other, aged(genuine)]
    await writeFile(join(work, 'deliveries.json'), JSON.stringify(all))
    for (const [name, code] of Object.entries(receivers)) {
      await writeFile(join(work, name), code)
    }
  })

  it.each([
    ['TypeScript', 'node', 'accept.ts'],
    ['Python', 'python3', 'accept.py'],
    ['Go', 'go', 'run', 'verify.go', 'accept.go'],
    ['PHP', 'php', 'accept.php'],
  ])(
    'accepts deliveries of the service in %s, and refuses forged, changed and replayed ones',
    async (_language, ...command) => {
      const [program = '', ...args] = command
      expect(await run(work, program, ...args)).toBe(['webhook.ping', 'refused', 'refused', 'refused'].join('\n'))
    },
  )

  it('receives with the SDK', async () => {
    const code = `import { readFileSync } from 'node:fs'
import { receive } from './receive.ts'
const [{ secret, headers, body }, changed] = JSON.parse(readFileSync('deliveries.json', 'utf8'))
const request = (text: string) => new Request('http://127.0.0.1/', { method: 'POST', headers, body: text })
console.log((await receive(request(body), secret)).status)
await receive(request(changed.body), secret).catch(({ name }) => console.log(name))`
    await writeFile(join(work, 'with-sdk.ts'), code)
    expect(await run(work, 'node', 'with-sdk.ts')).toBe(['webhook.ping', '204', 'WebhookError'].join('\n'))
  })
})

interface Delivery {
  readonly secret: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** The same delivery, signed correctly ten minutes ago. */
function aged({ secret, headers, body }: Delivery): Delivery {
  const timestamp = String(Math.floor(Date.now() / 1000) - 600)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${headers['webhook-id']}.${timestamp}.${body}`).digest('base64')
  return {
    secret,
    body,
    headers: { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  }
}
