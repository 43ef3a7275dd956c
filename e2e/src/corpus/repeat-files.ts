import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { PlanBench } from '@lathe/testing'
import type { Client } from '../client.ts'
import { inParallel } from '../command.ts'
import type { RealFile } from './collect-files.ts'
import { runOurs } from './run-ours.ts'

interface Repetition {
  readonly files: readonly RealFile[]
  readonly targetsOf: (file: RealFile) => readonly string[]
  readonly times: number
}

/** Converts each file `times` times alone, then next to four others, and counts files with differing ends. */
export async function repeatFiles(
  { api, bench }: { api: Client; bench: PlanBench },
  { files, targetsOf, times }: Repetition,
): Promise<number> {
  const endOnce = async (file: RealFile, to: string): Promise<string> => {
    const imported = await api.importBytes(await readFile(file.path), basename(file.path))
    const { outcome } = await runOurs(api, bench, imported, to)
    const { pages, width, height } = outcome.facts ?? {}
    return [outcome.end, pages, width, height].join(' ').trim()
  }
  const work = files.flatMap((file) => targetsOf(file).map((to) => ({ file, to, ends: [] as string[] })))
  for (const one of work) for (let n = 0; n < times; n++) one.ends.push(await endOnce(one.file, one.to))
  // Five at a time, with neighbors that change from round to round.
  for (let n = 0; n < times; n++) {
    const order = [...work.slice((n * 7) % work.length), ...work.slice(0, (n * 7) % work.length)]
    await inParallel(order, 5, async (one) => void one.ends.push(await endOnce(one.file, one.to)))
    console.error(`round ${n + 1} of ${times} next to four others`)
  }
  const unsteady = work.filter(({ ends }) => new Set(ends).size > 1)
  for (const { file, to, ends } of unsteady) {
    const counts = [...Map.groupBy(ends, (end) => end)].map(([end, own]) => `${own.length} x ${end}`)
    console.log(`UNSTEADY ${file.name} → ${to}: ${counts.join(', ')}`)
  }
  return unsteady.length
}
