// Runs every check that needs no service except PostgreSQL, one per core. Reports each and ends with the count.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const steps: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['types', 'tsc', '-p', '.'],
  ['types of the web app', 'tsc', '-p', 'apps/web'],
  ['types of the Python client', '/usr/bin/mypy', '--config-file', 'clients/python/pyproject.toml'],
  ['weight of the web app', 'node', 'scripts/web-size.ts'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['import rules', 'depcruise', 'packages', 'apps', 'scripts', 'e2e', 'bench', '--output-type', 'err'],
  ['dead code', 'knip', '--no-config-hints'],
  ['migrations', 'squawk', 'packages/database/migrations/*.sql'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['repository', 'node', 'scripts/check-repository.ts'],
  ['rules and their tests', 'node', 'scripts/spec-coverage.ts'],
]

const root = fileURLToPath(new URL('..', import.meta.url))
// The programs of this checkout take precedence over those of the machine.
const env = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH ?? ''}` }
const left = [...steps]
let failed = 0

async function run([name, program, ...args]: (typeof steps)[number]): Promise<void> {
  const started = performance.now()
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  // A missing program ends with an error.
  const ended = once(child, 'close').then(
    ([code]) => ({ isGood: code === 0, why: '' }),
    ({ message }: Error) => ({ isGood: false, why: message }),
  )
  const said = await Promise.all([text(child.stdout), text(child.stderr)])
  const { isGood, why } = await ended
  const took = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name} (${took} s)`)
  if (isGood) return
  failed += 1
  console.log(`${said.join('')}${why}`.trim().replaceAll(/^/gm, '  '))
}

// Most checks use one core, so one runs per core.
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let step = left.shift(); step; step = left.shift()) await run(step)
  }),
)

console.log(`${steps.length - failed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
