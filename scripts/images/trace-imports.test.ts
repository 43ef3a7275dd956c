import { expect, it } from 'vitest'
import { importsOf, traceImports } from './trace-imports.ts'

const checkout = new URL('../..', import.meta.url).pathname

it('finds what a source needs when it runs', () => {
  const source = [
    "import type { A } from 'types-only'",
    "import { b, type C } from 'plain'",
    "import {\n  d,\n  e,\n} from './many-lines.ts'",
    "import 'effect'",
    "export { f } from './door.ts'",
    "const g = await import('late')",
    "const said = 'nothing is imported from here'",
  ]
  expect(importsOf(source.join('\n'))).toEqual(['plain', './many-lines.ts', 'effect', './door.ts', 'late'])
})

it.each(['api', 'scheduler', 'worker'])('leaves test code and what only engines use out of the %s', (app) => {
  const { files, packages } = traceImports(checkout, [`apps/${app}/src/main.ts`])
  expect(packages).toContain('packages/database:pg')
  const names = packages.map((one) => one.split(':')[1])
  for (const left of ['azurite', 'vitest', 'sharp', 'pdf-lib']) expect(names).not.toContain(left)
  expect(files.filter((file) => /\/testing\/|\.test\.ts$/.test(file))).toEqual([])
})
