import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A small tree laid out as ours, with one wrong import a file (and some that are right). */
const planted = {
  'packages/domain/src/index.ts': `export const rule = 1`,
  'packages/domain/src/reads-disk.ts': `import { readFileSync } from 'node:fs'\nexport const text = readFileSync`,
  'packages/domain/src/reads-disk.test.ts': `import { readFileSync } from 'node:fs'\nexport const text = readFileSync`,
  'packages/domain/src/knows-tables.ts': `import type { Row } from '@lathe/database'\nexport type Fact = Row`,
  'packages/domain/src/ring-a.ts': `import { b } from './ring-b.ts'\nexport const a = () => b`,
  'packages/domain/src/ring-b.ts': `import { a } from './ring-a.ts'\nexport const b = () => a`,
  'packages/engines/src/runner.mjs': `import { open } from 'node:fs/promises'\nexport const read = open`,
  'packages/database/src/index.ts': `import { rule } from '@lathe/domain'\nexport interface Row { id: typeof rule }`,
  'packages/database/src/pool.ts': `export const pool = 1`,
  'packages/storage/src/reads-record.ts': `import type { Row } from '@lathe/database'\nexport type Kept = Row`,
  'packages/queue/src/sneaks-in.ts': `import { pool } from '../../database/src/pool.ts'\nexport const mine = pool`,
  'packages/queue/src/tests-itself.ts': `import { waitFor } from '@lathe/testing'\nexport const wait = waitFor`,
  'packages/queue/src/queue.test.ts': `import { waitFor } from '@lathe/testing'\nawait using x = waitFor`,
  'packages/testing/src/index.ts': `export const waitFor = undefined`,
  'apps/api/src/borrows.ts': `import { work } from '../../worker/src/work.ts'\nexport const mine = work`,
  'apps/worker/src/work.ts': `import type { Row } from '@lathe/database'\nexport const work = (row: Row) => row`,
  'clients/sdk/src/client.ts': `import { rule } from '@lathe/domain'\nexport const client = rule`,
}

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}

let folder: string
let violations: readonly Violation[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-import-map-'))
  for (const [path, source] of Object.entries(planted)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), `${source}\n`)
  }
  await mkdir(join(folder, 'node_modules/@lathe'), { recursive: true })
  for (const name of ['domain', 'database', 'testing']) {
    await symlink(join(folder, 'packages', name), join(folder, 'node_modules/@lathe', name))
    const manifest = { name: `@lathe/${name}`, exports: { '.': './src/index.ts' } }
    await writeFile(join(folder, 'packages', name, 'package.json'), JSON.stringify(manifest))
  }
  violations = await cruise()
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function cruise(): Promise<readonly Violation[]> {
  const args = ['packages', 'apps', 'clients', '--config', join(root, '.dependency-cruiser.cjs'), '-T', 'json']
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const output = await new Promise<string>((resolve, reject) => {
    // It exits with the number of violations, which is what is wanted here.
    execFile(process.execPath, [program, ...args], { cwd: folder, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr, { cause: error }))
      else resolve(stdout)
    })
  })
  return JSON.parse(output).summary.violations
}

function rulesBrokenBy(file: string): string[] {
  return violations.filter(({ from }) => from === file).map(({ rule }) => rule.name)
}

describe('the import map', () => {
  it.each([
    ['packages/domain/src/reads-disk.ts', 'pure-packages-do-no-input-or-output'],
    ['packages/domain/src/knows-tables.ts', 'only-what-the-table-allows: packages/domain'],
    ['packages/storage/src/reads-record.ts', 'only-what-the-table-allows: packages/storage'],
    ['packages/queue/src/sneaks-in.ts', 'packages-are-entered-by-their-front-door'],
    ['packages/queue/src/tests-itself.ts', 'test-helpers-stay-in-tests'],
    ['apps/api/src/borrows.ts', 'apps-do-not-import-each-other'],
    ['clients/sdk/src/client.ts', 'clients-import-nothing-inside'],
    ['packages/domain/src/ring-a.ts', 'no-cycles'],
  ])('catches %s', (file, rule) => {
    expect(rulesBrokenBy(file)).toContain(rule)
  })

  it.each([
    'packages/domain/src/reads-disk.test.ts',
    'packages/engines/src/runner.mjs',
    'packages/database/src/index.ts',
    'packages/queue/src/queue.test.ts',
    'apps/worker/src/work.ts',
  ])('leaves %s alone', (file) => {
    expect(rulesBrokenBy(file)).toEqual([])
  })
})
