import type { Event, Job, Task } from '@lathe/contract'
import { withAllFiles } from '@lathe/sdk'
import { listenToAccount } from '../api/account-events.ts'
import { api, call } from '../api/client.ts'
import { statusOf } from '../api/errors.ts'
import { type Item, isOpen } from './item.ts'
import { converter, failItems, replaceItems } from './state.ts'
import { takeTask } from './take-task.ts'

const lookEveryMs = 3000
let isFollowing = false

/** Follows a job until all its files have ended. */
export function follow(jobId: string): void {
  if (isFollowing) return void lookAt(jobId).catch(() => undefined)
  isFollowing = true
  const leave = listenToAccount({
    // Events only report changes from now on. Earlier changes, and the queue position, are loaded.
    onOpen: () => void Promise.all([...openJobs()].map(lookAt)).catch(() => undefined),
    onEvent: ({ data }: Event) => applyTasks('task' in data ? [data.task] : (data.job.tasks ?? [])),
    onSignedOut: () => loseItems(openItems(), 'signed_out'),
  })
  let isLooking = false
  const look = setInterval(async () => {
    // One request at a time: a dead connection gives no answer, and a browser allows few connections per host.
    if (isLooking) return
    isLooking = true
    await lookAtQueue().catch(() => undefined)
    isLooking = false
  }, lookEveryMs)
  const endIfDone = () => {
    if (isAnyOpen()) return
    unsubscribe()
    clearInterval(look)
    leave()
    isFollowing = false
  }
  const unsubscribe = converter.subscribe(endIfDone)
  endIfDone()
}

async function lookAtQueue(): Promise<void> {
  const queued = openItems().filter(({ stage }) => stage === 'queued')
  // The first ones are enough.
  const jobs = [...new Set(queued.flatMap(({ jobId }) => jobId ?? []))].slice(0, 2)
  await Promise.all(jobs.map(lookAt))
}

async function lookAt(jobId: string): Promise<void> {
  try {
    takeJob(await call<Job>(`/v1/process/jobs/${jobId}`))
  } catch (cause) {
    if (statusOf(cause) !== 404) throw cause
    loseItems(
      openItems().filter((item) => item.jobId === jobId),
      'job_gone',
    )
  }
}

/** Applies the state of a job to its files. */
export function takeJob(job: Job): void {
  applyTasks(job.tasks ?? [])
}

function applyTasks(tasks: readonly Task[]): void {
  const byTask = new Map(
    openItems().flatMap((item) =>
      [item.importId, item.convertId, ...(item.editIds ?? [])].map((taskId) => [taskId, item.id] as const),
    ),
  )
  for (const task of tasks) if (byTask.has(task.id) && isCut(task)) void applyWhole(task)
  const whole = tasks.filter((task) => !isCut(task))
  const news = Map.groupBy(whole, ({ id }) => byTask.get(id))
  // All at once: each change creates a new list, and a job may have a hundred tasks.
  replaceItems(
    [...news.keys()].filter((id) => id !== undefined),
    (item) => (news.get(item.id) ?? []).reduce(withTask, item),
  )
}

/** Whether a task shows only the first of its files. */
function isCut({ result: { files = [], filesTotal = 0 } }: Task): boolean {
  return filesTotal > files.length
}

/** Applies a task once all its files are known; without them if they cannot be read: the ZIP has them all. */
async function applyWhole(task: Task): Promise<void> {
  const { filesTotal: _, ...result } = task.result
  applyTasks([await withAllFiles(api(), task).catch(() => ({ ...task, result }))])
}

/** Returns the same item if nothing changes, so that it is not rendered or stored again. */
function withTask(item: Item, task: Task): Item {
  const change = takeTask(item, task)
  const isSame = Object.entries(change).every(([name, value]) => Object.is(item[name as keyof Item], value))
  return isSame ? item : { ...item, ...change }
}

function openItems(): readonly Item[] {
  return [...converter.get().items.values()].filter((item) => item.jobId !== undefined && isOpen(item))
}

function isAnyOpen(): boolean {
  return converter
    .get()
    .items.values()
    .some((item) => item.jobId !== undefined && isOpen(item))
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
