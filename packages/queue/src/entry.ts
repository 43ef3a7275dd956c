import type { ObjectId } from '@lathe/domain'

/** Which kind of worker a task is for: moving bytes, or running engines. */
export type Pool = 'transfer' | 'process'

/** All a queue knows of a task: ids only, never payloads or secrets. */
export interface Entry {
  readonly task: ObjectId
  readonly attempt: number
  readonly step: number
}

/** The queue's own id of an entry: adding the same one again is harmless while it waits. */
export function entryId({ task, attempt, step }: Entry): string {
  return step > 0 ? `t${task}-${attempt}-${step}` : `t${task}-${attempt}`
}

/** The entry as BullMQ takes it: one try, and nothing kept of it. */
export function toBullJob({ entry, delayMs }: { readonly entry: Entry; readonly delayMs: number }) {
  const opts = { jobId: entryId(entry), delay: delayMs, attempts: 1, removeOnComplete: true, removeOnFail: true }
  return { name: 'task', data: entry, opts }
}
