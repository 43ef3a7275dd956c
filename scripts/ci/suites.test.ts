import { describe, expect, it } from 'vitest'
import { allSuites, type Choice, suiteNames } from './choose-suites.ts'
import { makeSuites } from './suites.ts'

const many = Array.from({ length: 80 }, (_, n) => `packages/engines/src/${n}.int.test.ts`)
const intFiles = [
  ...many,
  'packages/queue/src/a.int.test.ts',
  'apps/api/src/b.int.test.ts',
  'apps/worker/c.int.test.ts',
]
const options = { seed: '1', intFiles, changed: [] }

const filesOf = (name: string, choice: Choice = allSuites(), more = {}) => {
  const suite = makeSuites(choice, { ...options, ...more }).find((one) => one.name === name)
  return suite && 'files' in suite.command ? suite.command.files : undefined
}

describe('makeSuites', () => {
  it('makes every suite that can be chosen', () => {
    expect(
      makeSuites(allSuites(), options)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...suiteNames].sort())
  })

  it('separates integration tests with engines from the others', () => {
    expect(filesOf('int')).toEqual(['packages/queue/src/a.int.test.ts', 'apps/api/src/b.int.test.ts'])
    expect(filesOf('engines')).toContain('apps/worker/c.int.test.ts')
  })

  it('takes some tests of the engines by the seed, and those that changed in any case', () => {
    const some = filesOf('engines')
    expect(some).toHaveLength(29)
    expect(filesOf('engines')).toEqual(some)
    expect(filesOf('engines', allSuites(), { seed: '2' })).not.toEqual(some)
    const left = many.filter((file) => !some?.includes(file)).slice(0, 2)
    const withChanged = filesOf('engines', allSuites(), { changed: left })
    expect(withChanged).toHaveLength(29)
    expect(withChanged).toEqual(expect.arrayContaining(left))
  })

  it('limits integration tests to the chosen folders', () => {
    expect(filesOf('int', new Map([['int', ['packages/queue/']]]))).toEqual(['packages/queue/src/a.int.test.ts'])
    expect(filesOf('engines', new Map([['engines', ['apps/worker']]]))).toEqual(['apps/worker/c.int.test.ts'])
  })

  it('leaves out a suite of which no file is chosen, since it would run all of them', () => {
    expect(makeSuites(new Map([['int', ['apps/cli/']]]), options)).toEqual([])
  })
})
