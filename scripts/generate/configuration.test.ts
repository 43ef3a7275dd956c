import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('every setting is documented, wherever its schema is written', () => {
  const schema = '^  [A-Z][A-Z0-9_]+: (Type[.]|Optional)'
  // A worker sets those of its engine host itself.
  const left = [':!*.test.ts', ':!apps/worker/src/engine-host/']
  const args = ['grep', '-hoE', schema, '--', 'packages/*/src/*.ts', 'apps/*/src/*.ts', ...left]
  const lines = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const names = new Set(lines.map((line) => line.trim().split(':')[0] ?? ''))
  expect(names.size).toBeGreaterThan(100)
  const page = readFileSync(`${root}docs/configuration.md`, 'utf8')
  expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
