import type { SeenTask } from '../history.ts'
import { type Facts, openStates, type Violation } from './facts.ts'

/** A confirmed cancel or delete has taken effect. */
export function checkUndone({ exchanges, record, tasks }: Facts): readonly Violation[] {
  const deletedJobs = new Set(record.jobs.filter(({ deleted }) => deleted).map(({ id }) => id))
  const confirmed = exchanges.filter(({ answer }) => answer !== undefined && answer.status < 300)
  return confirmed.flatMap(({ sent: { op, subject = '' } }) => {
    const status = tasks.get(subject)?.status
    const isUndone =
      (op === 'delete' && status !== 'deleted' && !deletedJobs.has(subject)) ||
      (op === 'cancel' && status !== 'canceled' && status !== 'deleted')
    return isUndone ? [{ rule: 'undone' as const, what: `${op} of ${subject} was confirmed, and it is ${status}` }] : []
  })
}

interface Seen {
  readonly state: string
  readonly at: number
}

/** Once a client has seen the end of a task, it never sees another state of it. */
export function checkSeen({ exchanges, tasks }: Facts): readonly Violation[] {
  const ends = new Map<string, Seen>()
  const found: string[] = []
  const inOrder = exchanges
    .flatMap(({ sent, answer }) => (answer && answer.status < 300 ? [{ sent, answer }] : []))
    .sort((a, b) => a.answer.at - b.answer.at)
  for (const { sent, answer } of inOrder) {
    for (const task of answer.tasks ?? []) {
      if (isDenied(task, ends.get(task.id), sent.at)) found.push(`${task.id} had ended and then was ${task.status}`)
      if (!openStates.has(task.status)) ends.set(task.id, { state: task.status, at: answer.at })
    }
  }
  for (const [id, { state }] of ends) {
    const now = tasks.get(id)?.status
    if (now !== undefined && now !== state && now !== 'deleted') found.push(`${id} was seen ${state} and ended ${now}`)
  }
  return found.map((what) => ({ rule: 'twice', what }))
}

/**
 * Requests overlap: a response may show an open task whose end another response has already shown, but not another end.
 */
function isDenied({ status }: SeenTask, end: Seen | undefined, sentAt: number): boolean {
  if (end === undefined || status === end.state || status === 'deleted') return false
  return sentAt > end.at || !openStates.has(status)
}
