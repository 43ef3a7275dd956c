import type { FoundTest } from './find-tests.ts'
import type { Coverage, CoverageRow, TestName } from './parse-coverage.ts'

export interface CoverageReport {
  readonly rules: number
  readonly covered: number
  readonly gaps: readonly string[]
  /** Faults of the page other than rules without a test. */
  readonly faults: readonly string[]
}

/** Returns the tests of a file, or undefined if there is no such file. */
export type TestsOf = (file: string) => readonly FoundTest[] | undefined

/** Compares the page with the existing tests. */
export function checkCoverage({ rows, later }: Coverage, testsOf: TestsOf): CoverageReport {
  const gaps = rows.flatMap((row) => findGap(row, testsOf))
  const faults = [
    ...repeated([...rows, ...later].map(({ id }) => id)).map((id) => `${id}: is given to more than one rule`),
    ...[...rows, ...later]
      .filter(({ rule }) => rule === '')
      .map(({ id, line }) => `${id} (line ${line}): says no rule`),
    ...later
      .filter(({ issue }) => !/^(#\d+|none yet)$/.test(issue))
      .map(({ id, line }) => `${id} (line ${line}): names no issue that brings it, nor 'none yet'`),
    ...(rows.length === 0 ? ['the page holds no rule'] : []),
  ]
  return { rules: rows.length, covered: rows.length - gaps.length, gaps, faults }
}

function findGap({ id, line, tests }: CoverageRow, testsOf: TestsOf): readonly string[] {
  const where = `${id} (line ${line})`
  if (tests.length === 0) return [`${where}: names no test`]
  // One below, the limit itself, one above.
  if (id.startsWith('L-') && tests.length < 3) return [`${where}: names ${tests.length} tests; a limit needs three`]
  const unknown = tests.flatMap((test) => explain(test, testsOf))
  return unknown.length > 0 ? [`${where}: ${unknown.join('; ')}`] : []
}

function explain({ file, name }: TestName, testsOf: TestsOf): readonly string[] {
  if (!/\.test\.ts$|-suite\.ts$/.test(file)) return [`${file} is no file of tests`]
  const tests = testsOf(file)
  if (!tests) return [`there is no ${file}`]
  return tests.some((test) => test.matches(name)) ? [] : [`${file} has no test "${name}"`]
}

function repeated(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
}
