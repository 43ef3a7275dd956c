import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSdk } from '../../../scripts/packages/build-sdk.ts'
import { fixture, newKey, stack } from '../scenario.ts'
import { closeBrowser, startVisit } from '../web/visit.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const arch = process.arch === 'arm64' ? 'aarch64' : 'x64'
// A machine may have no Node.js of its own; the others come with the checkout.
const systemNode = '/usr/bin/node'
const runtimes = [
  { name: 'Node.js of this checkout', program: process.execPath },
  ...(existsSync(systemNode) ? [{ name: 'Node.js of the system', program: systemNode }] : []),
  { name: 'Bun', program: `${modules}/@oven/bun-linux-${arch}/bin/bun` },
]

let key: string
let folder: string
let app: string
let tarball: string

/** The package as npm would publish it, installed into a folder that knows nothing of this repository. */
beforeAll(async () => {
  ;({ key } = await newKey({ slots: 4, scopes: ['task.read', 'task.write'] }))
  folder = mkdtempSync(join(tmpdir(), 'lathe-sdk-package-'))
  const built = join(folder, 'sdk')
  buildSdk(built)
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: built,
    encoding: 'utf8',
  })
  tarball = join(folder, packed.trim())
  app = join(folder, 'app')
  const installed = join(app, 'node_modules/@lathe/sdk')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  cpSync(new URL('./sdk-program.mjs', import.meta.url), join(app, 'program.mjs'))
  writeFileSync(join(app, 'photo.jpg'), fixture('photo-100k.jpg'))
}, 120_000)
afterAll(async () => {
  await closeBrowser()
  rmSync(folder, { recursive: true, force: true })
})

describe('the package @lathe/sdk', () => {
  it('is packed as npm expects it (publint)', async () => {
    const { messages, pkg } = await publint({ pkgDir: join(folder, 'sdk'), strict: true })
    expect(messages.map((message) => formatMessage(message, pkg as Record<string, unknown>))).toEqual([])
  })

  it('has types that every compiler finds (are the types wrong)', async () => {
    const found = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))))
    if (!found.types) throw new Error('there are no types')
    // It has modules only; programs that use require() get them from Node.js 20.19 on.
    const kinds = found.problems.map(({ kind }) => kind).filter((kind) => kind !== 'CJSResolvesToESM')
    expect(kinds.filter((kind) => kind !== 'NoResolution')).toEqual([])
    const unresolved = found.problems.flatMap((problem) =>
      problem.kind === 'NoResolution' ? [`${problem.resolutionKind} ${problem.entrypoint}`] : [],
    )
    // Compilers that do not know `exports` (before 2022) find nothing.
    expect(unresolved.filter((one) => !one.startsWith('node10'))).toEqual([])
  })

  it.each(runtimes)('converts, uploads in parts, lists and reports errors in $name', async ({ program }) => {
    const env = { PATH: process.env.PATH ?? '', LATHE_URL: stack.url, LATHE_KEY: key }
    const { stdout } = await promisify(execFile)(program, ['program.mjs'], { cwd: app, env })
    expect(JSON.parse(stdout)).toEqual({
      converted: 'photo.webp',
      head: 'WEBP',
      isComplete: true,
      parts: 2,
      listed: true,
      missing: 'NotFoundError',
      invalid: ['tasks.result.output_format'],
      aborted: 'enough',
    })
    expect(readFileSync(join(app, 'photo.webp')).toString('latin1', 8, 12)).toBe('WEBP')
    rmSync(join(app, 'photo.webp'))
  })

  it('converts in a browser, under the Content-Security-Policy of the web app', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await page.route('**/sdk-under-test/**', (route) => {
      const path = new URL(route.request().url()).pathname.replace('/sdk-under-test/', '')
      return route.fulfill({ path: join(folder, 'sdk/dist', path), contentType: 'text/javascript' })
    })
    await visit.open('/')
    // As text: a function would come with what the test runner makes of its imports.
    const program = readFileSync(new URL('./sdk-page.mjs', import.meta.url), 'utf8')
    await page.route('**/sdk-page.mjs', (route) => route.fulfill({ body: program, contentType: 'text/javascript' }))
    const photo = fixture('photo-100k.jpg').toString('base64')
    const converted = await page.evaluate(
      `import('/sdk-page.mjs').then(({ convert }) => convert(${JSON.stringify({ key, photo })}))`,
    )
    expect(converted).toEqual({
      refusal: expect.stringContaining('job token'),
      name: 'photo.webp',
      isComplete: true,
    })
  })
})
