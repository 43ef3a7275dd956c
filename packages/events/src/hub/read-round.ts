import type { Event } from '@lathe/contract'
import type { EventRecord } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import type { EventSource } from '../event-source.ts'
import type { Watcher } from './watcher.ts'

/** About how many subjects one query of the log covers. */
const subjectsAtOnce = 1000
/** The most events per query: each is shown with its job or task, and a job has up to 100 tasks. */
const pageSize = 250

/** The watchers of a subject, and the event number after which to read. */
interface ReadRequest {
  after: number
  readonly watchers: Watcher[]
}

/**
 * Reads once for all watchers that may have new events and room for them, and gives each the events it does not have.
 * Returns whether anything was requested; until that is false, there may be more.
 */
export async function readRound(source: EventSource, awake: Set<Watcher>): Promise<boolean> {
  const requests = takeRequests(awake)
  if (requests.size === 0) return false
  const putBack = (watcher: Watcher, subjectId: ObjectId) => {
    if (watcher.isGone) return
    watcher.pending.add(subjectId)
    awake.add(watcher)
  }
  try {
    const events = await source.read(
      [...requests].map(([subjectId, { after }]) => ({ subjectId, after })),
      pageSize,
    )
    const views = await source.tell(events.filter((event) => isWanted(event, requests.get(event.subjectId))))
    const bySubject = Map.groupBy(events, ({ subjectId }) => subjectId)
    for (const [subjectId, { watchers }] of requests) {
      const coverage = coverageOf(subjectId, events)
      const news = { subjectId, events: bySubject.get(subjectId) ?? [], views, coverage }
      for (const watcher of watchers) if (!offer(watcher, news)) putBack(watcher, subjectId)
    }
  } catch (error) {
    for (const [subjectId, { watchers }] of requests) for (const watcher of watchers) putBack(watcher, subjectId)
    throw error
  }
  return true
}

/** Takes the pending subjects: a hint during the read makes them pending again. */
function takeRequests(awake: Set<Watcher>): ReadonlyMap<ObjectId, ReadRequest> {
  const requests = new Map<ObjectId, ReadRequest>()
  for (const watcher of [...awake]) {
    if (watcher.listener.room() <= 0) continue
    for (const subjectId of watcher.pending) {
      const request = requests.get(subjectId)
      if (!request && requests.size >= subjectsAtOnce) continue
      const { after, watchers } = request ?? { after: Number.POSITIVE_INFINITY, watchers: [] }
      watchers.push(watcher)
      watcher.pending.delete(subjectId)
      requests.set(subjectId, { after: Math.min(after, watcher.after(subjectId)), watchers })
    }
    if (watcher.pending.size === 0) awake.delete(watcher)
  }
  return requests
}

function isWanted(event: EventRecord, request: ReadRequest | undefined): boolean {
  return request?.watchers.some((one) => one.after(event.subjectId) < event.seq && one.wants(event)) ?? false
}

/**
 * A full page may be cut off: subjects after its last one were not read, and the last one perhaps in part. Ids sort as
 * they are read.
 */
function coverageOf(subjectId: ObjectId, events: readonly EventRecord[]): Coverage {
  const last = events.at(-1)?.subjectId
  if (events.length < pageSize || last === undefined || subjectId < last) return 'all'
  return subjectId === last ? 'some' : 'none'
}

type Coverage = 'all' | 'some' | 'none'

interface SubjectUpdate {
  readonly subjectId: ObjectId
  readonly events: readonly EventRecord[]
  readonly views: ReadonlyMap<ObjectId, Event>
  readonly coverage: Coverage
}

/** Gives a watcher as many events as it has room for. Returns whether that was all. */
function offer(watcher: Watcher, { subjectId, events, views, coverage }: SubjectUpdate): boolean {
  if (watcher.isGone) return true
  if (coverage === 'none') return false
  const { listener } = watcher
  const news = events.filter(({ seq }) => seq > watcher.after(subjectId))
  const room = listener.room()
  const taken: Event[] = []
  let through = watcher.after(subjectId)
  for (const event of news) {
    const view = watcher.wants(event) ? views.get(event.id) : undefined
    if (view && taken.length >= room) break
    if (view) taken.push(view)
    through = event.seq
  }
  watcher.advance(subjectId, through)
  if (news.length > 0) listener.take(taken, { subjectId, through })
  return coverage === 'all' && through >= (news.at(-1)?.seq ?? 0)
}
