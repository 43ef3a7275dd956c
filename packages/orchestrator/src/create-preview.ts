import {
  countPreviews,
  type Executor,
  findParents,
  findPreview,
  findTaskById,
  insertPreview,
  insertTasks,
  lockOwner,
  type PageOfFile,
  type TaskRecord,
} from '@lathe/database'
import { type ObjectId, oldestShownAt, oldestWithFilesAt, Problem } from '@lathe/domain'
import { type Payload, requestLimits } from '@lathe/operations'
import type { Work } from '@lathe/queue'
import { admit, ranked } from './admit.ts'
import type { Caller, Context } from './context.ts'
import { type Creation, type NewTask, planCreation, toRecord } from './plan-creation.ts'
import { toWork } from './pools.ts'

/** A requested preview of a page. */
export interface WantedPreview {
  readonly shown: PageOfFile
  /** The format of the file. */
  readonly format: string
  /** The payload of the `thumbnail` task that makes it. */
  readonly payload: Payload
}

/**
 * Finds or creates the task that makes a preview. The owner is locked meanwhile, so each page has one such task however
 * many requests ask for it. The task takes a slot of its owner like any other, but is in no list and has no events.
 */
export async function createPreview(context: Context, caller: Caller, wanted: WantedPreview): Promise<TaskRecord> {
  let work: readonly Work[] = []
  const record = await context.database.transaction(async (tx) => {
    work = []
    const [owner, previewId] = await Promise.all([lockOwner(tx, caller.ownerId), findPreview(tx, wanted.shown)])
    if (!owner) throw new Problem('unauthorized')
    const parents = await loadShown(context, tx, caller.ownerId, wanted.shown.taskId)
    const known = previewId && (await findTaskById(tx, previewId))
    if (known) return known
    await refuseTooMany(context, tx, caller.ownerId)
    const task = toTask(context, wanted)
    const now = context.clock.now()
    const formats = new Map([[wanted.shown.taskId, wanted.format]])
    const creation = planCreation({ caller, owner, parents, formats, now, jobId: null, tasks: [task] })
    work = await write(tx, caller, wanted, creation, now)
    const [created] = creation.tasks
    if (!created) throw new Error('a preview was asked for')
    return toRecord(created)
  })
  // Not awaited: the response does not wait for Redis, and the reconciler repeats what Redis misses.
  if (work.length > 0) void context.dispatch.enqueue(work)
  return record
}

function toTask({ ids, clock }: Context, { shown, payload }: WantedPreview): NewTask {
  return {
    id: ids.next(clock.now()),
    name: 'preview',
    operation: 'thumbnail',
    payload,
    inputs: [{ kind: 'task', id: shown.taskId, path: 'taskId' }],
    previewFile: shown.file,
  }
}

/** The task with the file, which was there before the owner was locked. */
async function loadShown({ clock }: Context, tx: Executor, ownerId: ObjectId, id: ObjectId) {
  const now = clock.now()
  const [shown] = await findParents(tx, { ownerId, ids: [id], since: oldestShownAt(now) })
  const hasFiles = shown?.status === 'completed' && shown.createdAt > oldestWithFilesAt(now)
  if (!hasFiles) throw new Problem('not_found')
  return new Map([[id, shown]])
}

async function refuseTooMany({ clock, metrics }: Context, tx: Executor, ownerId: ObjectId): Promise<void> {
  const { kept, open } = await countPreviews(tx, { ownerId, since: oldestWithFilesAt(clock.now()) })
  if (open < requestLimits.previewsAtOnce && kept < requestLimits.previewsPerOwner) return
  metrics.admissionsRefused.inc({ reason: 'previews' })
  const msg =
    kept < requestLimits.previewsPerOwner
      ? `${open} previews of your files are being made, and at most ${requestLimits.previewsAtOnce} may be at once. Try again after the number of seconds in Retry-After.`
      : `Your files have ${kept} previews, and at most ${requestLimits.previewsPerOwner} are made within 4 hours. Download the file instead.`
  throw new Problem('rate_limited', { msg })
}

async function write(
  tx: Executor,
  { ownerId }: Caller,
  { shown }: WantedPreview,
  { tasks, slots }: Creation,
  now: Date,
): Promise<readonly Work[]> {
  const preview = { ...shown, previewId: tasks[0]?.id ?? '', ownerId, createdAt: now }
  // Admitted last: a new task may be the oldest that is ready.
  const [, , fromBacklog] = await Promise.all([
    insertTasks(
      tx,
      tasks.map((task) => ({ ...task, seq: 0 })),
    ),
    insertPreview(tx, preview),
    admit(tx, { ownerId, plan: slots, now, opened: 1 }),
  ])
  const granted = tasks.filter(({ slot }) => slot)
  return [...ranked(granted, slots.slotsUsed - granted.length), ...fromBacklog].map((task) => toWork(task))
}
