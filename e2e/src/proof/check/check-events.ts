import type { EventRow } from '../final-record.ts'
import { type Facts, jobEnds, taskEnds, type Violation } from './facts.ts'

/** The log has every event once, in order; and each listener received the events of the log. */
export function checkEvents(facts: Facts): readonly Violation[] {
  const bySubject = Map.groupBy(facts.record.events, ({ subject }) => subject)
  for (const events of bySubject.values()) events.sort((a, b) => a.seq - b.seq)
  return [
    ...checkLog(facts, bySubject).map((what) => ({ rule: 'events' as const, what })),
    ...checkEnds(facts),
    ...checkListeners(facts, bySubject).map((what) => ({ rule: 'events' as const, what })),
  ]
}

type Log = ReadonlyMap<string, readonly EventRow[]>

function checkLog({ record }: Facts, log: Log): readonly string[] {
  const found: string[] = []
  for (const [subject, events] of log) {
    const gap = events.find(({ seq }, i) => seq !== i + 1)
    if (gap) found.push(`the log of ${subject} has a gap before ${gap.seq}`)
    const firstOf = (task: string, type: string) =>
      events.findIndex((event) => event.task === task && event.type === type)
    for (const task of new Set(events.flatMap(({ task }) => task ?? []))) {
      const [created, started] = [firstOf(task, 'task.created'), firstOf(task, 'task.started')]
      const end = events.findIndex((event) => event.task === task && taskEnds.has(event.type))
      if (created < 0) found.push(`no event tells that ${task} was created`)
      if (started >= 0 && (started < created || (end >= 0 && end < started)))
        found.push(`the events of ${task} are out of order`)
    }
  }
  const subjects = [...record.jobs, ...record.tasks.filter(({ jobId }) => jobId === null)]
  return [...found, ...subjects.filter(({ id }) => !log.has(id)).map(({ id }) => `${id} has no events`)]
}

/** An ended task has one terminal event that matches its state; so does a job. */
function checkEnds({ record }: Facts): readonly Violation[] {
  const ends = Map.groupBy(
    record.events.filter(({ type }) => taskEnds.has(type)),
    ({ task }) => task,
  )
  const jobEndsOf = Map.groupBy(
    record.events.filter(({ type }) => jobEnds.has(type)),
    ({ subject }) => subject,
  )
  const found: Violation[] = []
  for (const { id, status } of record.tasks) {
    const types = (ends.get(id) ?? []).map(({ type }) => type)
    if (types.length > 1)
      found.push({ rule: 'twice', what: `task ${id} ended ${types.length} times: ${types.join(', ')}` })
    // A task that is deleted before its end has only the deletion event.
    else if (types.length === 0 && status !== 'deleted')
      found.push({ rule: 'events', what: `no event tells the end of task ${id}` })
    else if (status !== 'deleted' && types[0] !== `task.${status}`)
      found.push({ rule: 'events', what: `task ${id} is ${status}, its event ${types[0]}` })
  }
  for (const { id, status } of record.jobs) {
    const types = (jobEndsOf.get(id) ?? []).map(({ type }) => type)
    if (types.length > 1) found.push({ rule: 'twice', what: `job ${id} ended ${types.length} times` })
    else if (types[0] !== `job.${status}`)
      found.push({ rule: 'events', what: `job ${id} is ${status}, its event ${types[0]}` })
  }
  return found
}

/** Events may arrive twice; on its first arrival, each event is the next one in order. */
function checkListeners({ history }: Facts, log: Log): readonly string[] {
  const last = new Map<number, number>()
  return history.flatMap((entry) => {
    if (entry.kind !== 'over' && (entry.kind !== 'heard' || entry.type === 'task.progress')) return []
    const { listener, subject } = entry
    const before = last.get(listener) ?? 0
    if (entry.kind === 'over') {
      const end = (log.get(subject) ?? []).findLast(({ type }) => taskEnds.has(type) || jobEnds.has(type))?.seq ?? 0
      return before < end ? [`listener ${listener} of ${subject} was sent ${before} of ${end} events`] : []
    }
    const { seq, type } = entry
    const logged = log.get(subject)?.[seq - 1]?.type
    last.set(listener, Math.max(before, seq))
    return [
      ...(logged === type ? [] : [`listener ${listener} heard ${type} as ${seq} of ${subject}, the log has ${logged}`]),
      ...(seq <= before + 1 ? [] : [`listener ${listener} heard ${seq} of ${subject} after ${before}`]),
    ]
  })
}
