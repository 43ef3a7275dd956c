import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root, runProgram } from '../run-program.ts'
import { readSnippets, type Snippet } from '../snippets.ts'

// Each other page of this folder has a test of its own: docs.test.ts, extending.test.ts and mcp.test.ts.
const testedElsewhere = ['docs/events.md', 'docs/webhooks.md', 'docs/extending.md', 'docs/mcp.md']

const pages = ['docs', 'docs/runbooks']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((page) => page.endsWith('.md') && !testedElsewhere.includes(page))
  .map((page) => ({ page, snippets: readSnippets(page) }))
  .filter(({ snippets }) => snippets.length > 0)

const toRun = (snippets: readonly Snippet[], language: string) =>
  snippets.filter((snippet) => snippet.notRun === undefined && snippet.language === language)
const pagesWith = (language: string) => pages.filter(({ snippets }) => toRun(snippets, language).length > 0)

const admin = 'npm run admin -- '
const configuration = readFileSync(join(root, 'docs/configuration.md'), 'utf8')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-operator-docs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command of a page on a database, and returns what it prints. Its ids are those that were printed before. */
async function run(line: string, database: string, printed: string): Promise<string> {
  const [, user] = /^User .*\n {2}id +(\w+)$/m.exec(printed) ?? []
  const [, key] = /^ {2}id {6}(\w+)\n {2}scopes/m.exec(printed) ?? []
  const command = line
    .replace('--user <id>', `--user ${user}`)
    .replace('--key <id>', `--key ${key}`)
    .replaceAll('/var/backups', folder)
    .replace(/--from (.+)-\d{4}-\d\d-\d\d$/, '--from $1-$(date +%F)')
  const env = { HOME: folder, DATABASE_URL: database, LATHE_SECRET: 'a secret that is long enough for anyone' }
  const script = ['set -euo pipefail', command.replace(admin, 'node scripts/admin.ts ')].join('\n')
  const { code, output } = await runProgram('bash', ['-c', script], { cwd: root, env })
  expect(code, `${command}\n${output}`).toBe(0)
  return output
}

it('the pages for operators have commands and settings to test', () => {
  expect(pagesWith('sh').map(({ page }) => page)).toEqual(['docs/accounts.md', 'docs/backup.md', 'docs/operations.md'])
  expect(pagesWith('ini').map(({ page }) => page)).toEqual(['docs/accounts.md', 'docs/connectors.md'])
})

describe.each(pages)('the snippets of $page', ({ snippets }) => {
  it('are of a kind that is tested, or say why they are not run', () => {
    // nginx.test.ts runs the settings of nginx.
    for (const { notRun, language, where } of snippets)
      if (notRun === undefined) expect(['sh', 'ini', 'nginx', 'text', ''], where).toContain(language)
    for (const { code, where } of toRun(snippets, 'sh'))
      for (const line of code.split('\n')) expect(line.startsWith(admin), `${where}: ${line}`).toBe(true)
  })
})

it.each(pagesWith('sh'))('the commands of $page run on an empty database', async ({ snippets }) => {
  await using first = await createTestDatabase()
  await using second = await createTestDatabase()
  let printed = ''
  for (const line of toRun(snippets, 'sh').flatMap(({ code }) => code.split('\n')))
    printed += await run(line, line.startsWith(`${admin}restore `) ? second.url : first.url, printed)
})

// What the api does first.
const readSettings = `import { readConfig } from './apps/api/src/config.ts'; readConfig(process.env)`

it.each(pagesWith('ini'))('the settings of $page are accepted by the api', async ({ snippets }) => {
  const secretFile = join(folder, 'oidc')
  await writeFile(secretFile, 'a secret of the provider')
  const needed = {
    DATABASE_URL: 'postgres://lathe@127.0.0.1/lathe',
    REDIS_URL: 'redis://127.0.0.1:6379',
    LATHE_SECRET: 'a secret that is long enough for anyone',
    LATHE_PUBLIC_URL: 'https://files.example.org',
    LATHE_TRUSTED_PROXIES: '127.0.0.1',
    STORAGE_KIND: 'disk',
    STORAGE_DIR: folder,
  }
  for (const { code, where } of toRun(snippets, 'ini')) {
    const settings = Object.fromEntries(
      code.split('\n').map((line) => {
        const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
        expect(configuration, `${where}: ${line}`).toContain(`| \`${name.replace(/_FILE$/, '')}\` |`)
        return [name, name === 'OIDC_CLIENT_SECRET_FILE' ? secretFile : value]
      }),
    )
    const { code: status, output } = await runProgram('node', ['--input-type=module', '--eval', readSettings], {
      cwd: root,
      env: { ...needed, ...settings },
    })
    expect(status, `${where}: ${output}`).toBe(0)
  }
})
