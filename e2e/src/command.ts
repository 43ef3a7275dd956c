import { parseArgs } from 'node:util'

/** The words a command was given as `--name=value`, and its flags. */
export type Words<Name extends string, Flag extends string> = Readonly<
  Partial<Record<Name, string>> & Partial<Record<Flag, boolean>>
>

/** Reads the words after a command's name; one it does not know is refused. */
export function readWords<Name extends string, Flag extends string = never>(
  names: readonly Name[],
  flags: readonly Flag[] = [],
): Words<Name, Flag> {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' as const }]),
    ...flags.map((flag) => [flag, { type: 'boolean' as const }]),
  ])
  // npm hands its own `--` on.
  const args = process.argv.slice(2).filter((word) => word !== '--')
  return parseArgs({ args, options }).values as Words<Name, Flag>
}

/** A whole number among the words, or what to take without it. */
export function readNumber(word: string | undefined, otherwise: number): number {
  if (word === undefined) return otherwise
  if (!/^\d{1,10}$/.test(word)) throw new Error(`${word} is no whole number`)
  return Number(word)
}

/** The seed among the words, or one of the moment. Says which it is, so that a run can be had again. */
export function readSeed(word: string | undefined): number {
  const seed = readNumber(word, Date.now() % 2 ** 31)
  console.log(`--seed=${seed}`)
  return seed
}

/** The last line of a command, and its exit code. */
export function conclude(passed: number, failed: number): void {
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Works through all with so many at once; results are in the order of the work. */
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
