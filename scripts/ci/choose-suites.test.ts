import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { allSuites, chooseSuites, engineFolders, type ImportTable, suiteNames } from './choose-suites.ts'

const table: ImportTable = createRequire(import.meta.url)('../import-table.cjs')
const suitesFor = (...files: string[]) => [...chooseSuites(files, table).keys()]
const always = ['check', 'audit', 'unit']

describe('a change of', () => {
  it('the web app needs the pages, and neither engines nor hostile files', () => {
    expect(suitesFor('apps/web/src/main.tsx', 'apps/web/src/i18n/en.json')).toEqual([...always, 'web'])
  })

  it('documentation needs the scenarios that run its code, and the test of the guide', () => {
    const choice = chooseSuites(['docs/architecture.md', 'README.md'], table)
    expect([...choice.keys()]).toEqual([...always, 'e2e', 'web'])
    expect(choice.get('web')).toEqual(['e2e/src/web/guide.test.ts'])
  })

  it('a workflow or the license needs nothing else', () => {
    expect(suitesFor('.github/workflows/tests.yml', 'LICENSE')).toEqual(always)
  })

  it('one test of the whole service needs the suite that it belongs to', () => {
    expect(suitesFor('e2e/src/web/jobs.test.ts')).toEqual([...always, 'web'])
    expect(suitesFor('e2e/src/scenarios/convert.test.ts')).toEqual([...always, 'e2e'])
    expect(suitesFor('e2e/src/attacks/limits/decoders.test.ts')).toEqual([...always, 'attacks'])
  })

  it('what such tests share needs all of them', () => {
    expect(suitesFor('e2e/src/client.ts')).toEqual([...always, 'e2e', 'web', 'attacks'])
    expect(suitesFor('e2e/src/web/people.ts')).toEqual([...always, 'e2e', 'web', 'attacks'])
  })

  it('an app needs its own integration tests', () => {
    const choice = chooseSuites(['apps/api/src/app.ts'], table)
    expect([...choice.keys()]).toEqual([...always, 'int', 'e2e', 'web', 'attacks'])
    expect(choice.get('int')).toEqual(['apps/api/'])
    expect(suitesFor('apps/cli/src/main.ts')).toEqual([...always, 'int', 'e2e'])
  })

  it('a package needs the integration tests of all that import it, also over another package', () => {
    const choice = chooseSuites(['packages/queue/src/index.ts'], table)
    expect(choice.get('int')).toEqual(
      expect.arrayContaining(['packages/queue/', 'packages/orchestrator/', 'apps/api/']),
    )
    expect(choice.get('int')).not.toContain('packages/sdk/')
    expect(choice.get('engines')).toEqual(['apps/worker'])
  })

  it('a package of rules needs everything', () => {
    expect(suitesFor('packages/domain/src/failures.ts').toSorted()).toEqual([...suiteNames].sort())
  })

  it.each([
    'package-lock.json',
    'vitest.config.ts',
    '.ci/run',
    'scripts/build.ts',
    'packages/testing/src/index.ts',
    'fixtures/office/letter.docx',
    'something-new/file.ts',
  ])('%s may matter to anything, next to whatever else', (file) => {
    expect(chooseSuites(['LICENSE', file], table)).toEqual(allSuites())
  })
})

it('nothing changed: only what always runs', () => {
  expect(suitesFor()).toEqual(always)
})

it('the folders with engines exist', () => {
  for (const folder of engineFolders)
    expect(existsSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)))).toBe(true)
})
