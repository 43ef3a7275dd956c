// Runs every check that needs no running service of ours but PostgreSQL, reports each, and ends with the count.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const steps: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['types', 'tsc', '-p', '.'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['import rules', 'depcruise', 'packages', 'apps', 'scripts', 'e2e', 'bench', '--output-type', 'err'],
  ['dead code', 'knip', '--no-config-hints'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['repository', 'node', 'scripts/check-repository.ts'],
  ['rules and their tests', 'node', 'scripts/spec-coverage.ts'],
]

const root = fileURLToPath(new URL('..', import.meta.url))
// The programs of this checkout come first, whatever the machine has.
const env = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH ?? ''}` }
let failed = 0

for (const [name, program, ...args] of steps) {
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8' })
  const took = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${took} s)`)
  if (status === 0) continue
  failed += 1
  console.log(`${stdout}${stderr}${error?.message ?? ''}`.trim().replaceAll(/^/gm, '  '))
}

console.log(`${steps.length - failed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
