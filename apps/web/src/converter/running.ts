import type { Job, UploadForm } from '@lathe/contract'
import { call } from '../api/client.ts'
import { statusOf } from '../api/errors.ts'
import { sendFile } from '../api/send-file.ts'
import { waitForNetwork } from '../lib/wait.ts'
import { createJob, needsFile, type Order, tasksOf, toBatches } from './create-job.ts'
import { createSpeed } from './create-speed.ts'
import { withoutExpiredImport } from './expiry.ts'
import { withFittingOptions } from './fitting-options.ts'
import { follow, takeJob } from './following.ts'
import { type Item, isOpen, withoutOutcome } from './item.ts'
import { createLimit } from './limit.ts'
import { resumeLookUps } from './look-up.ts'
import {
  blobs,
  changeItem,
  converter,
  dissolve,
  failItems,
  optionsOf,
  partsOf,
  removeItems,
  replaceItems,
  targetOf,
} from './state.ts'
import { toTrouble } from './to-trouble.ts'

const uploads = createLimit(3)
const stops = new Map<string, AbortController>()
const lostCodes = new Set(['input_expired', 'input_deleted', 'input_failed', 'not_found', 'invalid_request'])

/** Converts all files that are ready, or only the given ones. */
export async function convert(ids?: Iterable<string>): Promise<void> {
  const { items, choices } = converter.get()
  const wanted = ids ? new Set(ids) : undefined
  const orders = [...items.values()].flatMap((item): readonly Order[] => {
    const target = targetOf(item, choices)
    const isWanted = wanted ? wanted.has(item.id) && !isOpen(item) : item.stage === 'staged' && !item.partOf
    return isWanted && target ? [{ item: forgetLost(item), target, options: optionsOf(item, choices) }] : []
  })
  replaceItems(
    orders.map(({ item }) => item.id),
    (item) => ({ ...withoutOutcome(item), stage: 'waiting', progress: 0 }),
  )
  for (const batch of toBatches(orders)) await runBatch(batch)
}

/** Files that the service no longer has must be sent again. */
function forgetLost(item: Item): Item {
  const { importedId, ...rest } = withoutExpiredImport(item)
  return importedId && !lostCodes.has(item.trouble?.code ?? '') ? item : rest
}

/** Creates a job for some files and sends them. Ends when the last one has been sent. */
async function runBatch(orders: readonly Order[]): Promise<void> {
  const still = orders.filter(({ item }) => converter.get().items.get(item.id)?.stage === 'waiting')
  if (still.length === 0) return
  let job: Job
  try {
    job = await createJob(await Promise.all(still.map(withFittingOptions)))
  } catch (cause) {
    const trouble = toTrouble(cause)
    return failItems(
      still.map(({ item }) => item.id),
      trouble,
    )
  }
  const made = new Map(
    still.map(({ item, target }, n) => {
      const stage = needsFile({ item, target }) ? ('waiting' as const) : ('queued' as const)
      return [item.id, { ...withoutOutcome(item), ...tasksOf(job, n), jobId: job.id, convertedTo: target, stage }]
    }),
  )
  const { items } = converter.get()
  for (const [id, item] of made) {
    if (items.get(id)?.stage === 'waiting') continue
    // It was canceled while the job was created.
    made.delete(id)
    cancelTasks(item)
  }
  replaceItems(made.keys(), (item) => made.get(item.id) ?? item)
  follow(job.id)
  await Promise.all(still.map(({ item }) => upload(item.id, job)))
}

/** Sends a file of a job to its form. */
export async function upload(id: string, job: Job): Promise<void> {
  const item = converter.get().items.get(id)
  const file = blobs.get(id)
  const form = job.tasks?.find((task) => task.id === item?.importId)?.result.form
  if (!item || item.url || !form) return
  if (!file) return failItems([id], { code: 'file_gone', msg: '' })
  const stop = new AbortController()
  stops.set(id, stop)
  await uploads(() => sendPatiently({ id, name: item.name, form, file, signal: stop.signal })).catch(
    (cause: unknown) => {
      if (isOpenNow(id)) failItems([id], toTrouble(cause))
    },
  )
  stops.delete(id)
}

interface Sending {
  readonly id: string
  readonly name: string
  readonly form: UploadForm
  readonly file: Blob
  readonly signal: AbortSignal
}

/** Sends a file. An interrupted upload goes on when the browser is online again, and a large one also after a reload. */
async function sendPatiently({ id, name, form, file, signal }: Sending): Promise<void> {
  if (!isOpenNow(id)) return
  changeItem(id, () => ({ stage: 'uploading', progress: 0 }))
  const changeIfSending = (change: Partial<Item>) =>
    changeItem(id, ({ stage }) => (stage === 'uploading' || stage === 'waiting' ? change : {}))
  const measure = createSpeed()
  await sendFile(form, file, {
    name,
    signal,
    store: {
      getItem: () => converter.get().items.get(id)?.uploadUrl ?? null,
      setItem: (_, uploadUrl) => changeItem(id, () => ({ uploadUrl })),
      removeItem: () => undefined,
    },
    onProgress(progress) {
      const bytesPerSecond = measure(progress * file.size, performance.now())
      changeIfSending({ stage: 'uploading', progress, ...(bytesPerSecond && { bytesPerSecond }) })
    },
    async onInterrupted() {
      changeIfSending({ stage: 'waiting', progress: 0 })
      await waitForNetwork(300_000, signal)
    },
  })
  changeIfSending({ stage: 'queued', progress: 0 })
}

function isOpenNow(id: string): boolean {
  const item = converter.get().items.get(id)
  return item !== undefined && isOpen(item)
}

/** Cancels the processing of a file. Notifies the service without waiting for it. */
export function cancel(id: string): void {
  const item = converter.get().items.get(id)
  if (!item || !isOpen(item)) return
  changeItem(id, () => ({ stage: 'canceled' }))
  stops.get(id)?.abort()
  cancelTasks(item)
  for (const part of partsOf(id)) cancel(part)
}

function cancelTasks({ importId, importedId, editIds = [], convertId }: Item): void {
  // The service refuses to cancel an import that has completed.
  for (const taskId of [importId === importedId ? undefined : importId, ...editIds, convertId]) {
    if (taskId) void call(`/v1/process/tasks/${taskId}/cancel`, { method: 'POST' }).catch(() => undefined)
  }
}

/** Removes files from the list and cancels their processing. */
export function remove(ids: readonly string[]): void {
  for (const id of ids) cancel(id)
  removeItems([...ids, ...ids.flatMap(partsOf)])
}

/** Resumes an earlier visit: loads the state of jobs, follows them, and sends files that were not sent. */
export async function resume(): Promise<void> {
  // A merge without a job is not resumed: the user can start it again.
  for (const { id, parts, stage, jobId } of converter.get().items.values()) {
    if (parts !== undefined && stage === 'waiting' && jobId === undefined) dissolve(id)
  }
  resumeLookUps()
  const open = [...converter.get().items.values()].filter(isOpen)
  replaceItems(
    open.filter(({ jobId }) => jobId === undefined).map(({ id }) => id),
    (item) => ({ ...item, stage: 'staged' }),
  )
  for (const jobId of new Set(open.flatMap((item) => item.jobId ?? []))) {
    const ids = open.filter((item) => item.jobId === jobId).map(({ id }) => id)
    try {
      const job = await call<Job>(`/v1/process/jobs/${jobId}`)
      takeJob(job)
      follow(jobId)
      void Promise.all(ids.filter(isOpenNow).map((id) => upload(id, job)))
    } catch (cause) {
      if (statusOf(cause) === 404) failItems(ids, { code: 'job_gone', msg: '' })
      else follow(jobId)
    }
  }
}
