import type { Task } from '@lathe/contract'
import { type Attack, namesCanary, type Output, type Variant } from './attack.ts'
import { findTokens } from './find-tokens.ts'
import { judgeEnd } from './judge-end.ts'
import { lookInside, showsCanary } from './look-inside.ts'
import type { Range } from './range.ts'
import { runVariant } from './run-variant.ts'

/** The result of a variant. */
export interface Outcome {
  readonly variant: Variant
  readonly faults: readonly string[]
  /** Renderings of its outputs. */
  readonly pictures: readonly Buffer[]
}

/** Runs a variant and looks for everything that must not be in its response, its database rows and its outputs. */
export async function judgeVariant(range: Range, attack: Attack, variant: Variant): Promise<Outcome> {
  const { withinMs = 60_000 } = attack
  const end = await runVariant(range.api, variant, withinMs)
  const answer = JSON.stringify(end.kind === 'refused' ? end.body : end.task.result)
  const faults = [...judgeEnd(variant, end, withinMs), ...reported(range, answer, 'the answer')]
  const pictures: Buffer[] = []
  // Any color may occur in an image that has nothing to do with the canary.
  const isWatched = namesCanary(attack, variant, range.canaries.folder)
  if (end.kind === 'ended') {
    faults.push(...(await judgeAttempts(range, end.task)))
    for (const output of end.outputs) {
      const seen = await judgeOutput(range, output)
      if (isWatched) faults.push(...(await judgePictures(output, seen.pictures)))
      faults.push(...seen.faults)
      pictures.push(...seen.pictures)
    }
    if (end.task.status === 'completed') faults.push(...(await judgeByCheck(range, variant, end.outputs)))
  }
  return { variant, faults: faults.map((fault) => `${variant.what}: ${fault}`), pictures }
}

function reported({ canaries }: Range, content: string | Buffer, where: string): readonly string[] {
  return findTokens(Buffer.from(content), canaries.tokens).map(() => `a token in ${where}`)
}

async function judgeOutput(range: Range, output: Output): Promise<Pick<Outcome, 'faults' | 'pictures'>> {
  const { text, pictures } = await lookInside(range.bench, output)
  const faults = [
    ...reported(range, output.bytes, output.filename),
    ...reported(range, text, `the words of ${output.filename}`),
  ]
  return { faults, pictures }
}

async function judgePictures({ filename }: Output, pictures: readonly Buffer[]): Promise<readonly string[]> {
  const shown = await Promise.all(pictures.map(showsCanary))
  return shown.includes(true) ? [`the canary shows in ${filename}`] : []
}

async function judgeByCheck(
  { bench }: Range,
  { check }: Variant,
  outputs: readonly Output[],
): Promise<readonly string[]> {
  try {
    await check?.(outputs, bench)
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** Only a crashed converter may be tried once more. A task that found no free engine has not been tried. */
async function judgeAttempts({ stack, worker }: Range, { id, result }: Task): Promise<readonly string[]> {
  const sql = 'select attempt from tasks where id = $1'
  const { rows } = await stack.database.pool.query<{ attempt: number }>(sql, [`\\x${id}`])
  const most = /engine_crashed|input_quarantined/.test(result.reason ?? '') ? 2 : 1
  const untried = worker
    .log()
    .split('\n')
    .filter((line) => line.includes(id) && /"reason":"(no_engine|long)"/.test(line))
  const attempts = (rows[0]?.attempt ?? 0) - untried.length
  return attempts > most ? [`was tried ${attempts} times`] : []
}
