import type { Event, Job, Task } from '@lathe/contract'
import { ApiError } from '../api/api-error.ts'
import { call, send } from '../api/client.ts'
import { readEvents } from '../api/read-events.ts'
import { wait, waitForNetwork } from '../lib/wait.ts'
import { type Item, isOpen } from './item.ts'
import { changeItem, converter, failItems } from './state.ts'
import { takeTask } from './take-task.ts'

const lookEveryMs = 3000
let isFollowing = false

/** Follows a job until all its files have ended. One stream tells of all jobs: a browser has few connections to a host. */
export function follow(jobId: string): void {
  if (isFollowing) return void lookAt(jobId).catch(() => undefined)
  isFollowing = true
  void followAll()
}

async function followAll(): Promise<void> {
  let last = ''
  for (let failures = 0; openJobs().size > 0; ) {
    try {
      last = await readStream(last)
      failures = 0
    } catch (cause) {
      // Nothing is open afterwards, which ends the loop.
      if (cause instanceof ApiError && cause.status === 401) loseItems(openItems(), 'signed_out')
      failures += 1
      await waitForNetwork(60_000)
      await wait(Math.min(15_000, 500 * 2 ** failures))
    }
  }
  // At once when the loop ends, so that whoever comes next begins anew.
  isFollowing = false
}

/** Reads events until nothing is open or the stream ends, and gives the place it has come to. */
async function readStream(last: string): Promise<string> {
  const stop = new AbortController()
  const headers = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) }
  const response = await send('/v1/process/events', { headers, signal: stop.signal })
  if (!response.body) return last
  let place = last
  const stopIfDone = () => openJobs().size === 0 && stop.abort()
  const unsubscribe = converter.subscribe(stopIfDone)
  // Events tell what happens from now on. What has happened before, and the place in the queue, is asked for.
  const look = setInterval(() => void lookAtQueue().catch(() => undefined), lookEveryMs)
  try {
    await Promise.all([...openJobs()].map(lookAt))
    for await (const { id, data } of readEvents(response.body)) {
      if (id !== '') place = id
      const event = JSON.parse(data) as Event
      if ('task' in event.data) takeNews([event.data.task])
      else takeNews(event.data.job.tasks ?? [])
    }
  } catch (cause) {
    // A stream that breaks off is taken up where it was.
    if (!stop.signal.aborted) throw cause
  } finally {
    unsubscribe()
    clearInterval(look)
    stop.abort()
  }
  return place
}

async function lookAtQueue(): Promise<void> {
  const queued = openItems().filter(({ stage }) => stage === 'queued')
  // The first of them tell enough.
  const jobs = [...new Set(queued.flatMap(({ jobId }) => jobId ?? []))].slice(0, 2)
  await Promise.all(jobs.map(lookAt))
}

async function lookAt(jobId: string): Promise<void> {
  try {
    takeJob(await call<Job>(`/v1/process/jobs/${jobId}`))
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.status !== 404) throw cause
    loseItems(
      openItems().filter((item) => item.jobId === jobId),
      'job_gone',
    )
  }
}

/** Takes over all that a job shows. */
export function takeJob(job: Job): void {
  takeNews(job.tasks ?? [])
}

function takeNews(tasks: readonly Task[]): void {
  const byTask = new Map(
    openItems().flatMap((item) =>
      [item.importId, item.convertId, ...(item.editIds ?? [])].map((taskId) => [taskId, item.id] as const),
    ),
  )
  for (const task of tasks) {
    const id = byTask.get(task.id)
    if (id) changeItem(id, (item) => takeTask(item, task))
  }
}

function openItems(): readonly Item[] {
  return [...converter.get().items.values()].filter((item) => item.jobId !== undefined && isOpen(item))
}

function openJobs(): ReadonlySet<string> {
  return new Set(openItems().flatMap(({ jobId }) => jobId ?? []))
}

function loseItems(items: readonly Item[], code: string): void {
  failItems(
    items.map(({ id }) => id),
    { code, msg: '' },
  )
}
