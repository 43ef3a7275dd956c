import type { FoundTest } from './find-tests.ts'
import type { Rule } from './read-rules.ts'

/** A test and the file it is in. */
export type TestInFile = FoundTest & { readonly file: string }

/** A page with rules. */
export interface Page {
  readonly name: string
  readonly rules: readonly Rule[]
}

/** Finds rules without tests, tests of rules that no page has, and faults of the pages. */
export function checkCoverage(pages: readonly Page[], tests: readonly TestInFile[]): readonly string[] {
  const testsOf = groupByRule(tests)
  const lines = new Map<string, string>()
  const faults: string[] = []
  for (const { name, rules } of pages) {
    if (rules.length === 0) faults.push(`${name}: the page contains no rule`)
    for (const { id, text, line } of rules) {
      const where = `${name}:${line}: ${id}`
      const earlier = lines.get(id)
      if (earlier) faults.push(`${where} is also the id of ${earlier}`)
      lines.set(id, `${name}:${line}`)
      if (text === '') faults.push(`${where} has no text`)
      faults.push(...findGap(where, id, testsOf.get(id) ?? []))
    }
  }
  for (const [id, [first]] of testsOf) if (!lines.has(id)) faults.push(`${first?.file}: no page has a rule ${id}`)
  return faults
}

/** The tests of each rule, by its id. */
export function groupByRule(tests: readonly TestInFile[]): ReadonlyMap<string, readonly TestInFile[]> {
  const pairs = tests.flatMap((test) => test.ids.map((id) => [id, test] as const))
  const grouped = Map.groupBy(pairs, ([id]) => id)
  return new Map([...grouped].map(([id, own]) => [id, own.map(([, test]) => test)]))
}

function findGap(where: string, id: string, tests: readonly TestInFile[]): readonly string[] {
  if (tests.length === 0) return [`${where} has no test: write [${id}] into the title of one`]
  // One below, the limit itself, one above: three tests, or a table of cases.
  const isEnough = !id.startsWith('L-') || tests.length >= 3 || tests.some(({ isTable }) => isTable)
  return isEnough ? [] : [`${where} has ${tests.length} tests; a limit needs three: one below, at it and one above`]
}
