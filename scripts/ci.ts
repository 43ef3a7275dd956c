/**
 * The suites of `.ci/run`, which prepares the machine and calls this: those that can notice what changed since CI_BASE,
 * or all. Writes the last lines of the run into the file that is named.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allSuites, type Choice, chooseSuites, suiteNames } from './ci/choose-suites.ts'
import { findChanged, listFiles } from './ci/git-changes.ts'
import { afterSecondTry, type Verdict } from './ci/judge-suite.ts'
import { lastLines } from './ci/last-lines.ts'
import { endCommands, runCommand } from './ci/run-command.ts'
import { runLanes } from './ci/run-lanes.ts'
import { runSuite, say, secondsSoFar } from './ci/run-suite.ts'
import type { Suite } from './ci/suite.ts'
import { makeSuites } from './ci/suites.ts'

// A run has ninety minutes. On a machine that others keep busy they may not do: what would begin later than this fails.
const latestBeginS = 75 * 60
const latestEndS = 88 * 60

const [summary = '.lathe/ci/summary'] = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = dirname(summary)
const { CI_BASE: base = '', CI_FULL: full = '', CI_STRICT: strict = '', CI_SUITES: only = '' } = process.env
const seed = process.env.LATHE_CI_SEED ?? '1'
const verdicts = new Map<string, Verdict>()
const repeated: string[] = []
// Samples of what takes long; npm run nightly takes more.
Object.assign(process.env, { LATHE_TEST_SIZE: 'sample', LATHE_ATTACKS: 'sample', LATHE_ATTACKS_SEED: seed })
mkdirSync(folder, { recursive: true })

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => finish(`broken off by ${signal}`))
process.on('uncaughtException', (error) => finish(error.stack ?? String(error)))

const changed = base === '' || full === '1' ? undefined : findChanged(root, base)
const suites = makeSuites(limit(choose()), {
  ...{ seed, changed: changed ?? [] },
  intFiles: listFiles(root, 'ls-files', '--cached', '--others', '--exclude-standard', '*.int.test.ts'),
})
say(`suites: ${suites.map(({ name }) => name).join(' ') || 'none'}`)
const runs = { root, folder, left: () => latestEndS - secondsSoFar() }
await runLanes(suites, { waiting: 2, root: prepareRoot(), run: runOnce })
if (strict !== '1') for (const suite of suites) await runAgain(suite)
finish()

function choose(): Choice {
  if (changed === undefined) {
    say(full === '1' ? 'CI_FULL=1: everything runs' : 'no CI_BASE: everything runs')
    return allSuites()
  }
  say(`${changed.length} files changed since ${base}`)
  return chooseSuites(changed, createRequire(import.meta.url)('./import-table.cjs'))
}

/** CI_SUITES="check unit" takes these of the chosen ones. */
function limit(choice: Choice): Choice {
  const names = only.split(/[\s,]+/).filter((name) => name !== '')
  const unknown = names.filter((name) => !suiteNames.some((known) => known === name))
  if (unknown.length > 0)
    throw new Error(`CI_SUITES: there is no ${unknown.join(', ')}; suites are ${suiteNames.join(', ')}`)
  return names.length === 0 ? choice : new Map([...choice].filter(([name]) => names.includes(name)))
}

/** Builds the engine root, unless one of this recipe is there or nothing needs it. */
async function prepareRoot(): Promise<void> {
  if (!suites.some(({ needsRoot }) => needsRoot)) return
  const output = `${folder}/root.out`
  const command = ['bash', 'scripts/setup.sh', 'root']
  const { exitCode, seconds } = await runCommand({ command, cwd: root, output, limitS: 2400, isPatient: false })
  if (exitCode !== 0) throw new Error(`the engine root cannot be built:\n${readFileSync(output, 'utf8')}`)
  say(`engine root: ready after ${Math.round(seconds)} s`)
}

async function runOnce(suite: Suite): Promise<void> {
  if (secondsSoFar() > latestBeginS) verdicts.set(suite.name, tooLate(suite))
  else verdicts.set(suite.name, await runSuite(suite, runs))
}

/** A shared machine may halt for many seconds, so what failed runs once more, alone; the last lines tell of it. */
async function runAgain(suite: Suite): Promise<void> {
  const first = verdicts.get(suite.name)
  if (first?.again === undefined || secondsSoFar() > latestBeginS) return
  repeated.push(...first.failures)
  verdicts.set(suite.name, afterSecondTry(first, await runSuite(suite, runs, first.again.files)))
}

function tooLate({ name }: Suite): Verdict {
  const why = `${name}: not begun, because the run has taken ${Math.round(secondsSoFar() / 60)} minutes already`
  return { passed: 0, failed: 1, failures: [why] }
}

function finish(brokenOff?: string): never {
  endCommands()
  const lines = lastLines({ verdicts: [...verdicts.values()], repeated, brokenOff })
  writeFileSync(summary, `${lines.join('\n')}\n`)
  process.exit(lines.at(-1)?.endsWith(' 0 failed') ? 0 : 1)
}
