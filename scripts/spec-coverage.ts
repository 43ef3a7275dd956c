// Checks that every rule, attack and limit in the documentation has a test, and that tests name no other. Prints the tests
// of the rules given as arguments, or of all pages how many there are.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkCoverage, groupByRule, type TestInFile } from './spec-coverage/check-coverage.ts'
import { findAttacks, findTests } from './spec-coverage/find-tests.ts'
import { readRules } from './spec-coverage/read-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = ['docs/spec-coverage.md', 'docs/attacks.md', 'docs/limits.md'].map((name) => ({
  name,
  rules: readRules(read(name)),
}))
const tests = [
  ...(await findIn('{apps,packages,e2e,scripts,bench}/**/*{.test,-suite}.ts', findTests)),
  ...(await findIn('e2e/src/attacks/cases/*.ts', findAttacks)),
]

async function findIn(pattern: string, find: typeof findTests): Promise<readonly TestInFile[]> {
  const files = await Array.fromAsync(glob(pattern, { cwd: root, exclude: (path) => path.includes('node_modules') }))
  return files.sort().flatMap((file) => find(read(file)).map((test) => ({ ...test, file })))
}

const asked = process.argv.slice(2)
const testsOf = groupByRule(tests)
for (const id of asked) {
  const rule = pages.flatMap(({ rules }) => rules).find((one) => one.id === id)
  console.log(`${id}: ${rule?.text ?? 'there is no such rule'}`)
  for (const { file, title } of testsOf.get(id) ?? []) console.log(`  ${file}: ${title}`)
}
const faults = checkCoverage(pages, tests)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
if (asked.length === 0)
  for (const { name, rules } of pages) {
    const found = new Set(rules.flatMap(({ id }) => testsOf.get(id) ?? []))
    console.log(`${name}: ${rules.length} rules, tested by ${found.size} tests`)
  }
