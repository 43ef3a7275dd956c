/**
 * `npm run nightly`: what takes too long for every change, in amounts for one night. `--scale=3` takes three times as
 * much, `--seed=1` chooses the samples (by default the date), `--only=soak,matrix` takes some; `--resume` continues the
 * last run and repeats what failed in it. LATHE_CORPUS is the folder with the collections of real files as *.tar.xz.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { engineFolders } from './ci/choose-suites.ts'
import { lastLines } from './ci/last-lines.ts'
import { endCommands } from './ci/run-command.ts'
import { runLanes } from './ci/run-lanes.ts'
import { runSuite, say } from './ci/run-suite.ts'
import type { Suite } from './ci/suite.ts'
import { beginNight, type Night, selectNamed } from './nightly/night.ts'
import { planNightly } from './nightly/plan-nightly.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, '.lathe/nightly')
const state = join(folder, 'night.json')
const files = join(folder, 'corpus')
const text = { type: 'string' } as const
const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: { seed: text, scale: text, only: text, resume: { type: 'boolean' } },
})
mkdirSync(folder, { recursive: true })

const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
const night = beginNight(values, readNight(), today)
const verdicts = { ...night.verdicts }
const archives = globSync(`${resolve(root, process.env.LATHE_CORPUS ?? '../shared/corpus')}/*.tar.xz`)
const all = planNightly({
  ...night,
  collections: archives.length > 0 ? unpack() : [],
  engineFiles: globSync(
    engineFolders.map((name) => `${name}/**/*.int.test.ts`),
    {
      cwd: root,
      exclude: (name) => name === 'node_modules',
    },
  ).sort(),
  isResumed: values.resume === true,
})
const left = selectNamed(all, values.only).filter(({ name }) => !(name in verdicts))
process.env.LATHE_CI_SEED = night.seed
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => finish(`broken off by ${signal}: --resume goes on`))

say(`seed ${night.seed}, scale ${night.scale}: ${left.map(({ name }) => name).join(' ') || 'nothing is left'}`)
const together = left.filter(({ isAlone }) => !isAlone)
await runLanes(together, { waiting: 1, root: Promise.resolve(), run })
for (const suite of left.filter(({ isAlone }) => isAlone)) await run(suite)
finish()

async function run(suite: Suite): Promise<void> {
  verdicts[suite.name] = await runSuite(suite, { root, folder, left: () => suite.limitS })
  writeFileSync(state, JSON.stringify({ ...night, verdicts }))
}

/** The collections, in a folder that is the same after an interruption. */
function unpack(): readonly string[] {
  rmSync(files, { recursive: true, force: true })
  mkdirSync(files, { recursive: true })
  for (const archive of archives) execFileSync('tar', ['-xJf', archive, '-C', files])
  return readdirSync(files).map((name) => join(files, name))
}

function readNight(): Night | undefined {
  return existsSync(state) ? JSON.parse(readFileSync(state, 'utf8')) : undefined
}

function finish(brokenOff?: string): never {
  endCommands()
  rmSync(files, { recursive: true, force: true })
  if (archives.length === 0) console.log('LEFT OUT corpus: LATHE_CORPUS names no folder with collections')
  const lines = lastLines({ verdicts: Object.values(verdicts), repeated: [], brokenOff })
  for (const line of lines) console.log(line)
  process.exit(lines.at(-1)?.endsWith(' 0 failed') ? 0 : 1)
}
