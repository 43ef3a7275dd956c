import { describe, expect, it } from 'vitest'
import { checkCoverage } from './check-coverage.ts'
import { findTests } from './find-tests.ts'
import { parseCoverage } from './parse-coverage.ts'

const source = `
import { it } from 'vitest'
describe('a cat', () => {
  it('purrs', () => {})
  it.each([1, 2])('has %i lives', () => {})
  it.runIf(true)('hunts', { timeout: 1 }, async () => { using _x = open() })
  describe(\`at \${night}\`, () => {
    it.each(cases.map((x) => [x]))(
      'sees $name',
      () => {},
    )
  })
  it.skip('swims', () => {})
  it.todo('flies')
})
it('stands alone', () => {})
`

const page = (...rows: string[]) => ['| id | rule | test |', '|---|---|---|', ...rows].join('\n')
const check = (...rows: string[]) =>
  checkCoverage(parseCoverage(page(...rows)), (file) => (file === 'cat.test.ts' ? findTests(source) : undefined))
const good = '| S-1 | Cats purr. | `cat.test.ts`: a cat > purrs |'

describe('the tests of a file', () => {
  const has = (name: string) => findTests(source).some((test) => test.matches(name))

  it('are known by their full titles', () => {
    expect(has('a cat > purrs')).toBe(true)
    expect(has('stands alone')).toBe(true)
    expect(has('purrs')).toBe(false)
    expect(has('a cat > purrs loudly')).toBe(false)
  })

  it('are known as written and as filled in where a table gives the words', () => {
    expect(has('a cat > has %i lives')).toBe(true)
    expect(has('a cat > has 9 lives')).toBe(true)
    expect(has('a cat > at midnight > sees mice')).toBe(true)
    expect(has('a cat > has lives')).toBe(false)
  })

  it('may be given options and conditions', () => {
    expect(has('a cat > hunts')).toBe(true)
  })

  it('are none while they are skipped or only promised', () => {
    expect(has('a cat > swims')).toBe(false)
    expect(has('a cat > flies')).toBe(false)
  })
})

describe('the check of the coverage page', () => {
  it('reads attacks and vulnerabilities by their numbers too', () => {
    const rows = ['| A01 | Dogs. | `cat.test.ts`: a cat > hunts |', '| CVE-2021-1, CVE-2021-2 | Fleas. | nobody |']
    expect(check(...rows)).toMatchObject({ rules: 2, covered: 1 })
  })

  it('counts rules whose tests exist', () => {
    expect(check(good, '| D-1 | Two tests. | `cat.test.ts`: a cat > hunts<br>`cat.test.ts`: stands alone |')).toEqual({
      rules: 2,
      covered: 2,
      gaps: [],
      faults: [],
    })
  })

  it('finds a row without a test', () => {
    const { covered, gaps } = check(good, '| S-2 | Cats sleep. | |')
    expect(covered).toBe(1)
    expect(gaps).toEqual(['S-2 (line 4): names no test'])
  })

  it('finds a test that does not exist', () => {
    const { gaps } = check(good, '| S-2 | Cats bark. | `cat.test.ts`: a cat > barks |')
    expect(gaps).toEqual(['S-2 (line 4): cat.test.ts has no test "a cat > barks"'])
  })

  it('wants three tests for a limit: one below, at it, one above', () => {
    const test = '`cat.test.ts`: a cat > purrs'
    expect(check(`| L-1 | Cats: 9. | ${test}<br>${test} |`).gaps).toEqual([
      'L-1 (line 3): names 2 tests; a limit needs three',
    ])
    expect(check(`| L-1 | Cats: 9. | ${test}<br>${test}<br>${test} |`).gaps).toEqual([])
    expect(check(`| A01 | Dogs. | ${test} |`).covered).toBe(1)
  })

  it('finds one missing test among several', () => {
    expect(check('| S-1 | Cats. | `cat.test.ts`: a cat > purrs<br>`cat.test.ts`: a cat > barks |').covered).toBe(0)
  })

  it('finds a file that does not exist, and one that is no test', () => {
    expect(check('| S-1 | Dogs bark. | `dog.test.ts`: barks |').gaps).toEqual(['S-1 (line 3): there is no dog.test.ts'])
    expect(check('| S-1 | Cats purr. | `cat.ts`: purrs |').gaps).toHaveLength(1)
  })

  it('finds an id given twice, a row without a rule and an empty page', () => {
    expect(check(good, good).faults).toEqual(['S-1: is given to more than one rule'])
    expect(check('| S-1 | | `cat.test.ts`: a cat > purrs |').faults).toHaveLength(1)
    expect(check().faults).toEqual(['the page holds no rule'])
  })

  it('lets rules wait for a later issue if they name it, or say that there is none yet', () => {
    const later = (issue: string) =>
      checkCoverage(
        parseCoverage(`${page(good)}\n\n| id | rule | issue |\n|---|---|---|\n| S-9 | Cats fly. | ${issue} |`),
        () => findTests(source),
      )
    expect(later('#3').faults).toEqual([])
    expect(later('#3').rules).toBe(1)
    expect(later('none yet').faults).toEqual([])
    expect(later('some day').faults).toEqual(["S-9 (line 7): names no issue that brings it, nor 'none yet'"])
  })
})
