import {
  type Channel,
  type ChannelStart,
  type Job,
  type JobSummary,
  type Task,
  toJobSummary,
  toJobView,
  toTaskView,
} from '@lathe/contract'
import { findJob, findJobPlace, findTask, findTaskPlace, listJobs, listTasks } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { Listener, Watch } from '@lathe/events'
import type { Services } from '../../services.ts'
import { withOwnProgress, withProgress, withTaskProgress } from '../../with-progress.ts'

/** The start of a subscription: all events after `seq` follow. */
export interface Subscribed {
  readonly state: Job | Task | readonly (JobSummary | Task)[]
  /** The number of the last event that `state` is sure to include; null for a whole account. */
  readonly seq: number | null
  readonly watch: Watch
}

export interface SubscribeRequest {
  readonly ownerId: ObjectId
  readonly channel: Channel
  readonly start: ChannelStart
}

/** How many of the newest jobs or tasks are shown at the start of a feed. */
const shownAtStart = 50

/** Subscribes a listener to a channel; refuses channels that do not exist or belong to another owner. */
export async function subscribe(
  services: Services,
  request: SubscribeRequest,
  listener: Listener,
): Promise<Subscribed> {
  const { channel } = request
  return 'id' in channel
    ? subscribeToOne(services, { ...request, ...channel }, listener)
    : subscribeToFeed(services, { ...request, ...channel }, listener)
}

async function subscribeToOne(
  { database, listening, links, clock, progress }: Services,
  { ownerId, kind, id, start }: SubscribeRequest & { readonly kind: 'job' | 'task'; readonly id: ObjectId },
  listener: Listener,
): Promise<Subscribed> {
  const db = database.pool
  // First the number, then the state: an event between the two is sent although the state already includes it, but none
  // is missed.
  const place = await (kind === 'job' ? findJobPlace(db, id) : findTaskPlace(db, id))
  const now = clock.now()
  const scope = { ownerId, id, now }
  const job = kind === 'job' ? await findJob(db, scope) : undefined
  const task = kind === 'task' ? await findTask(db, scope) : undefined
  if (!place || (!job && !task)) {
    throw new Problem('not_found', {
      msg: `There is no ${kind} ${id}. Subscribe to one of yours, within its 24 hours.`,
    })
  }
  const after = Math.min(start.after ?? place.seq, place.seq)
  const choice = { subjectId: place.subjectId, after, ...(task && { taskId: id }) }
  const state = job
    ? toJobView((await withTaskProgress(progress, [job]))[0] ?? job, links.at(now))
    : task && toTaskView(await withOwnProgress(progress, task), links.at(now))
  if (!state) throw new Problem('not_found')
  return { state, seq: place.seq, watch: listening.hub.watchSubject(choice, listener) }
}

async function subscribeToFeed(
  { database, listening, links, clock, progress }: Services,
  { ownerId, kind, start }: SubscribeRequest & { readonly kind: 'jobs' | 'tasks' | 'account' },
  listener: Listener,
): Promise<Subscribed> {
  const feed = { ownerId, kind: kind === 'account' ? 'all' : kind } as const
  const watch = await listening.hub.watchFeed(feed, listener, start.since)
  const now = clock.now()
  const page = { ownerId, now, limit: shownAtStart, offset: 0 }
  if (kind === 'jobs') {
    const { docs } = await listJobs(database.pool, page)
    return { state: docs.map(toJobSummary), seq: null, watch }
  }
  const { docs } = await listTasks(database.pool, page)
  const tasks = await withProgress(progress, docs)
  return { state: tasks.map((task) => toTaskView(task, links.at(now))), seq: null, watch }
}
