import type { Event } from '@lathe/contract'

/** The events of one job that one listener received, and their faults. */
export interface Book {
  /** The number of the last event, from which a disconnected listener continues. */
  readonly last: number
  /** Events received more than once, which is allowed. */
  readonly repeats: number
  readonly isComplete: boolean
  note(event: Pick<Event, 'seq' | 'type'>): void
  /** What is missing or out of order, if anything, when the job has `head` events. */
  fault(head: number): string | undefined
}

/** Records the events of one listener: each event at least once, in order, without a gap. */
export function createBook(): Book {
  let last = 0
  let repeats = 0
  let isComplete = false
  let gap: string | undefined
  return {
    get last() {
      return last
    },
    get repeats() {
      return repeats
    },
    get isComplete() {
      return isComplete
    },
    note({ seq, type }) {
      if (type === 'task.progress') return
      if (seq <= last) {
        repeats += 1
        return
      }
      if (seq !== last + 1) gap ??= `${seq} came after ${last}`
      last = seq
      isComplete ||= type === 'job.completed' || type === 'job.failed'
    },
    fault(head) {
      if (gap) return gap
      return last === head ? undefined : `told up to ${last} of ${head}`
    },
  }
}

/** The record of a listener to a whole account, whose jobs come over two channels. */
export interface AccountBook {
  readonly repeats: number
  /** The time of the newest event, from which a disconnected listener continues. */
  readonly since: string | undefined
  note(event: Event, channel: string): void
  fault(jobId: string, head: number): string | undefined
}

export function createAccountBook(): AccountBook {
  const reported = new Map<string, Set<number>>()
  const lastOf = new Map<string, number>()
  const disorder = new Map<string, string>()
  let repeats = 0
  let since: string | undefined
  return {
    get repeats() {
      return repeats
    },
    get since() {
      return since
    },
    note({ type, seq, data, createdAt }, channel) {
      if (type === 'task.progress') return
      const jobId = 'job' in data ? data.job.id : (data.task.job ?? '')
      const seqs = reported.get(jobId) ?? new Set()
      reported.set(jobId, seqs)
      if (since === undefined || createdAt > since) since = createdAt
      if (seqs.has(seq)) {
        repeats += 1
        return
      }
      const line = `${channel} ${jobId}`
      const before = lastOf.get(line) ?? 0
      if (seq < before) disorder.set(jobId, `${seq} came after ${before} on ${channel}`)
      lastOf.set(line, Math.max(before, seq))
      seqs.add(seq)
    },
    fault(jobId, head) {
      const seqs = reported.get(jobId) ?? new Set()
      const missing = Array.from({ length: head }, (_, i) => i + 1).filter((seq) => !seqs.has(seq))
      return disorder.get(jobId) ?? (missing.length > 0 ? `never told ${missing.join(', ')} of ${head}` : undefined)
    },
  }
}
