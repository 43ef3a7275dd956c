import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A small tree laid out as ours: an index with names that others import, and with some that none does. */
const planted = {
  'package.json': JSON.stringify({
    name: 'lathe',
    private: true,
    workspaces: ['packages/*', 'apps/*'],
    devDependencies: { vitest: '*' },
  }),
  'packages/domain/package.json': manifest('domain', {}),
  'packages/domain/src/index.ts': `export { type Kept, kept, lost, type Missed, tested } from './rules.ts'`,
  'packages/domain/src/rules.ts': `export const kept = 1\nexport const lost = kept\nexport const tested = lost
export interface Missed { readonly a: 1 }\nexport type Kept = Missed`,
  'packages/sdk/package.json': manifest('sdk', {}),
  'packages/sdk/src/index.ts': `export const forOthers = 1`,
  'apps/api/package.json': manifest('api', { '@lathe/domain': '*' }),
  'apps/api/src/main.ts': `import { type Kept, kept } from '@lathe/domain'\nconsole.log(kept satisfies Kept | number)`,
  'apps/api/src/api.test.ts': `import { tested } from '@lathe/domain'\nconsole.log(tested)`,
}

interface Report {
  readonly issues: readonly {
    readonly file: string
    readonly exports: readonly { readonly name: string }[]
    readonly types: readonly { readonly name: string }[]
  }[]
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-dead-code-'))
  for (const [path, source] of Object.entries(planted)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), `${source}\n`)
  }
  await mkdir(join(folder, 'node_modules/@lathe'), { recursive: true })
  await symlink(join(folder, 'packages/domain'), join(folder, 'node_modules/@lathe/domain'))
  await copyFile(join(root, 'knip.json'), join(folder, 'knip.json'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function manifest(name: string, dependencies: Record<string, string>): string {
  return JSON.stringify({ name: `@lathe/${name}`, private: true, exports: { '.': './src/index.ts' }, dependencies })
}

it('finds the names of an index that nobody imports, except those of the published client', async () => {
  const program = join(root, 'node_modules/knip/bin/knip.js')
  const args = ['--no-config-hints', '--include', 'exports,types', '--reporter', 'json']
  const output = await new Promise<string>((resolve, reject) => {
    // It exits with 1 when it finds something, which is what is wanted here.
    execFile(process.execPath, [program, ...args], { cwd: folder }, (error, stdout, stderr) =>
      stdout.startsWith('{') ? resolve(stdout) : reject(new Error(`knip did not run: ${stderr}`, { cause: error })),
    )
  })
  const { issues } = JSON.parse(output) as Report
  const found = issues.flatMap(({ file, exports, types }) =>
    [...exports, ...types].map(({ name }) => `${file} ${name}`),
  )
  expect(found).toEqual(['packages/domain/src/index.ts lost', 'packages/domain/src/index.ts Missed'])
})
