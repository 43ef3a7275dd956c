import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { judgeProgram, judgeVitest, type Verdict } from './judge-suite.ts'
import { runCommand } from './run-command.ts'
import type { Suite } from './suite.ts'

export interface SuiteRuns {
  readonly root: string
  /** Where outputs and reports are kept. */
  readonly folder: string
  /** Seconds that are left for all; a suite gets no more than that. */
  left(): number
}

/** Runs a suite, prints what it printed when it is over, and judges it. */
export async function runSuite(
  suite: Suite,
  { root, folder, left }: SuiteRuns,
  files?: readonly string[],
): Promise<Verdict> {
  const { name, command, limitS, isPatient } = suite
  const output = join(folder, `${name}.out`)
  const report = join(folder, `${name}.json`)
  for (const old of [report, `${report}.outside`]) rmSync(old, { force: true })
  const isVitest = 'vitest' in command
  const words = isVitest
    ? [
        'env',
        `LATHE_TEST_REPORT=${report}`,
        'vitest',
        'run',
        ...command.vitest,
        ...(files?.length ? files : command.files),
      ]
    : command.program
  say(`${name}: begins`)
  const seconds = Math.min(limitS, Math.max(1, left()))
  const end = await runCommand({ command: words, cwd: root, output, limitS: seconds, isPatient })
  const printed = readFileSync(output, 'utf8')
  process.stdout.write(printed)
  const { exitCode } = end
  const verdict = isVitest
    ? judgeVitest(name, { report: readJson(report), exitCode, outside: readJson(`${report}.outside`) ?? [] })
    : judgeProgram(name, printed, exitCode)
  const limit = `${name}: ended after ${Math.round(seconds)} s, which is its limit`
  say(`${name}: ${verdict.passed} passed, ${verdict.failed} failed, ${Math.round(end.seconds)} s`)
  return end.isTooSlow ? { ...verdict, failures: [...verdict.failures, limit] } : verdict
}

/** Prints a line with the seconds since the run began. */
export function say(line: string): void {
  console.log(`[${String(Math.round(secondsSoFar())).padStart(4)} s] ${line}`)
}

/** Seconds since `.ci/run` began, or this process. */
export function secondsSoFar(): number {
  const begun = Number(process.env.LATHE_CI_BEGUN)
  return begun > 0 ? Date.now() / 1000 - begun : performance.now() / 1000
}

// A run that was killed leaves no report or half of one.
function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}
