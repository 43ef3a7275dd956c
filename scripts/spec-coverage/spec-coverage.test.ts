import { describe, expect, it } from 'vitest'
import { checkCoverage, groupByRule } from './check-coverage.ts'
import { findAttacks, findTests } from './find-tests.ts'
import { readRules } from './read-rules.ts'

// The ids of the tests below are put together, so that they are not taken for rules that this file tests.
const bracket = (ids: string) => `[${ids}]`
const source = `
import { it } from 'vitest'
describe('a cat ${bracket('S-1')}', () => {
  it('purrs', () => {})
  it.each([1, 2])('has %i lives ${bracket('L-lives')}', () => {})
  it.runIf(true)('hunts ${bracket('D-1, A01')}', { timeout: 1 }, async () => { using _x = open() })
  describe(\`at \${night}\`, () => {
    it(\`sees \${name} ${bracket('D-2')}\`, () => {})
  })
  it.skip('swims ${bracket('D-3')}', () => {})
  it.todo('flies ${bracket('D-3')}')
})
it('stands [alone]', () => {})
`
const tests = findTests(source).map((test) => ({ ...test, file: 'cat.test.ts' }))
const page = (...rows: string[]) => ({
  name: 'cats.md',
  rules: readRules(['| id | rule |', '|---|---|', ...rows].join('\n')),
})
const all = ['| S-1 | Purr. |', '| D-1 | Hunt. |', '| D-2 | See. |', '| A01 | Mice. |', '| L-lives | Lives: 9. |']

describe('the tests of a rule', () => {
  it('have its id in their titles, or in that of a block around them', () => {
    const titles = (id: string) =>
      groupByRule(tests)
        .get(id)
        ?.map(({ title }) => title)
    expect(titles('S-1')).toHaveLength(4)
    expect(titles('D-1')).toEqual(['a cat [S-1] > hunts [D-1, A01]'])
    expect(titles('A01')).toEqual(titles('D-1'))
    expect(titles('D-2')).toEqual(['a cat [S-1] > at … > sees … [D-2]'])
  })

  it('are not those that are skipped or promised', () => {
    expect(groupByRule(tests).has('D-3')).toBe(false)
  })

  it('may be cases of a table of attacks', () => {
    expect(findAttacks(`{\n  id: 'A02 PNG',\n  title: 'text brings no file',\n}`)).toEqual([
      { title: 'text brings no file', ids: ['A02'], isTable: false },
    ])
  })
})

describe('the check of the pages', () => {
  it('finds nothing if each rule has a test', () => {
    expect(checkCoverage([page(...all)], tests)).toEqual([])
  })

  it('finds a rule without a test', () => {
    expect(checkCoverage([page(...all, '| S-2 | Sleep. |')], tests)).toEqual([
      'cats.md:8: S-2 has no test: write [S-2] into the title of one',
    ])
  })

  it('finds a test of a rule that is on no page', () => {
    expect(checkCoverage([page(...all.slice(1))], tests)).toEqual(['cat.test.ts: no page has a rule S-1'])
  })

  it('wants three tests for a limit, or a table of cases', () => {
    const limited = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ title: `${n}`, ids: ['L-mice'], isTable: false, file: 'cat.test.ts' }))
    const check = (count: number) => checkCoverage([page('| L-mice | Mice: 2. |')], limited(count))
    expect(check(3)).toEqual([])
    expect(check(2)).toEqual(['cats.md:3: L-mice has 2 tests; a limit needs three: one below, at it and one above'])
  })

  it('reads several ids of one row', () => {
    expect(readRules('| CVE-2021-1, CVE-2021-2 | Fleas. |').map(({ id }) => id)).toEqual(['CVE-2021-1', 'CVE-2021-2'])
  })

  it('finds an id given twice, on one page or two, a row without a text and an empty page', () => {
    expect(checkCoverage([page(...all), page(...all.slice(0, 1))], tests)).toEqual([
      'cats.md:3: S-1 is also the id of cats.md:3',
    ])
    expect(checkCoverage([page('| S-1 | |', ...all.slice(1))], tests)).toEqual(['cats.md:3: S-1 has no text'])
    expect(checkCoverage([page()], [])).toEqual(['cats.md: the page contains no rule'])
  })
})
