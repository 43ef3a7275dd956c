import type { FinalRecord, TaskRow } from '../final-record.ts'
import type { Answered, Entry, Sent } from '../history.ts'

/** The rules that a run is checked against. */
export type Rule =
  | 'lost'
  | 'twice'
  | 'events'
  | 'bytes'
  | 'minutes'
  | 'slots'
  | 'storage'
  | 'usage'
  | 'orphans'
  | 'undone'
  | 'failed'
  | 'died'

/** One violation of a rule. */
export interface Violation {
  readonly rule: Rule
  readonly what: string
}

/** A request with its known outcome; with neither a response nor an error, the outcome is unknown, too. */
export interface Exchange {
  readonly sent: Sent
  readonly answer: Answered | undefined
}

/** A history and a final record, indexed for the rules. */
export interface Facts {
  readonly history: readonly Entry[]
  readonly record: FinalRecord
  readonly exchanges: readonly Exchange[]
  /** Creations with a success response. */
  readonly accepted: readonly (Exchange & { readonly answer: Answered })[]
  readonly tasks: ReadonlyMap<string, TaskRow>
  /** The SHA-256 that a task's file must have, if clients know it. */
  readonly expected: ReadonlyMap<string, string>
}

export const openStates: ReadonlySet<string> = new Set(['created', 'processing'])
export const taskEnds: ReadonlySet<string> = new Set(['task.completed', 'task.failed', 'task.canceled'])
export const jobEnds: ReadonlySet<string> = new Set(['job.completed', 'job.failed'])

/** Joins requests with their responses, and the expectations of clients with the tasks in the final record. */
export function collectFacts(history: readonly Entry[], record: FinalRecord): Facts {
  const answers = new Map<number, Answered>()
  for (const entry of history) if (entry.kind === 'answered') answers.set(entry.call, entry)
  const exchanges = history.flatMap((entry) =>
    entry.kind === 'sent' ? [{ sent: entry, answer: answers.get(entry.call) }] : [],
  )
  const accepted = exchanges.flatMap(({ sent, answer }) =>
    sent.op === 'create' && answer?.status === 201 ? [{ sent, answer }] : [],
  )
  return {
    history,
    record,
    exchanges,
    accepted,
    tasks: new Map(record.tasks.map((task) => [task.id, task])),
    expected: findExpected(exchanges, record),
  }
}

/** By marker, not by response: a request with an unknown outcome may have created tasks as well. */
function findExpected(exchanges: readonly Exchange[], { jobs, tasks }: FinalRecord): ReadonlyMap<string, string> {
  const byMarker = new Map(
    exchanges.flatMap(({ sent }) => (sent.marker ? [[sent.marker, sent.expects ?? {}] as const] : [])),
  )
  const markerOfJob = new Map(jobs.map(({ id, marker }) => [id, marker]))
  const expected = new Map<string, string>()
  for (const { id, jobId, marker, name } of tasks) {
    const found = byMarker.get((jobId === null ? marker : markerOfJob.get(jobId)) ?? '')
    const sha256 = jobId === null ? Object.values(found ?? {})[0] : found?.[name]
    if (sha256) expected.set(id, sha256)
  }
  return expected
}
