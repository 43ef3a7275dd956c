import { createHash } from 'node:crypto'
import { addCrash, countCrashes, type Executor, type TaskRecord } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { kindOf, type Operation } from '@lathe/operations'
import type { Context } from './context.ts'

/** The content for an engine, and how many engines it has crashed within 24 hours. */
export interface EngineInput {
  readonly ownerId: ObjectId
  readonly fingerprint: string
  readonly crashes: number
}

/**
 * What a task gives to an engine; null if it needs no engine or has no content. Looks up crashes only if there are
 * some.
 */
export async function findEngineInput(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  { operation, ownerId }: TaskRecord,
  inputs: readonly TaskRecord[],
  hasCrashes: boolean,
): Promise<EngineInput | null> {
  const contents = inputs.flatMap(({ files }) => files.map(({ sha256 }) => sha256))
  if (kindOf(operation) !== 'process' || contents.length === 0) return null
  const fingerprint = fingerprintOf(operation, contents)
  const crashes = hasCrashes ? await countCrashes(database.pool, { ownerId, fingerprint, now: clock.now() }) : 0
  return { ownerId, fingerprint, crashes }
}

/** Counts that the content crashed an engine, in the transaction that records the failure. */
export async function noteCrash(
  tx: Executor,
  { clock }: Pick<Context, 'clock'>,
  { ownerId, fingerprint }: EngineInput,
): Promise<void> {
  await addCrash(tx, { ownerId, fingerprint, now: clock.now() })
}

/** The same for the same contents in the same order with the same operation, whatever the file names are. */
export function fingerprintOf(operation: Operation, contents: readonly string[]): string {
  return createHash('sha256')
    .update([operation, ...contents].join(' '))
    .digest('hex')
}
