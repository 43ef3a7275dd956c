import { parseArgs } from 'node:util'

/** The `--name=value` options of a command, and its flags. */
export type Words<Name extends string, Flag extends string> = Readonly<
  Partial<Record<Name, string>> & Partial<Record<Flag, boolean>>
>

/** Reads the options of a command; refuses unknown ones. */
export function readWords<Name extends string, Flag extends string = never>(
  names: readonly Name[],
  flags: readonly Flag[] = [],
): Words<Name, Flag> {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' as const }]),
    ...flags.map((flag) => [flag, { type: 'boolean' as const }]),
  ])
  // npm passes on its own `--`.
  const args = process.argv.slice(2).filter((word) => word !== '--')
  return parseArgs({ args, options }).values as Words<Name, Flag>
}

/** A whole number from the options, or its default. */
export function readNumber(word: string | undefined, otherwise: number): number {
  if (word === undefined) return otherwise
  if (!/^\d{1,10}$/.test(word)) throw new Error(`${word} is no whole number`)
  return Number(word)
}

/** The seed from the options, or one from the current time. Prints it, so that a run can be repeated. */
export function readSeed(word: string | undefined): number {
  const seed = readNumber(word, Date.now() % 2 ** 31)
  console.log(`--seed=${seed}`)
  return seed
}

/** Prints the last line of a command and sets its exit code. */
export function conclude(passed: number, failed: number): void {
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Runs all with a limited concurrency; returns the results in input order. */
export async function inParallel<T, R>(
  work: readonly T[],
  atOnce: number,
  run: (one: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(work.length)
  let next = 0
  const runAll = async () => {
    while (next < work.length) {
      const index = next++
      results[index] = await run(work[index] as T, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runAll))
  return results
}
