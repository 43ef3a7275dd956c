// Checks that every rule, attack and limit listed in the documentation names tests, and that those tests exist.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkCoverage } from './spec-coverage/check-coverage.ts'
import { type FoundTest, findTests } from './spec-coverage/find-tests.ts'
import { parseCoverage } from './spec-coverage/parse-coverage.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['docs/spec-coverage.md', 'docs/attacks.md', 'docs/limits.md']
const known = new Map<string, readonly FoundTest[]>()

function testsOf(file: string): readonly FoundTest[] | undefined {
  const path = join(root, file)
  if (!existsSync(path)) return undefined
  const tests = known.get(file) ?? findTests(readFileSync(path, 'utf8'))
  known.set(file, tests)
  return tests
}

for (const page of pages) {
  const coverage = parseCoverage(readFileSync(join(root, page), 'utf8'))
  const { rules, covered, gaps, faults } = checkCoverage(coverage, testsOf)
  for (const text of [...gaps, ...faults]) console.error(`${page}: ${text}`)
  const later = coverage.later.length > 0 ? `; ${coverage.later.length} for later` : ''
  console.log(`${page}: ${rules} rules, ${covered} covered, ${rules - covered} without a test${later}`)
  if (gaps.length > 0 || faults.length > 0) process.exitCode = 1
}
