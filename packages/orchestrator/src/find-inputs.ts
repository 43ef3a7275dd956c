import { type Executor, findTasksById, type TaskRecord } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'

/** The most input files of one task: an engine outputs at most as many. */
export const mostInputFiles = 20_000

// Limits chains of exports of exports: no real job needs more, and the walk below stays short.
const mostLayers = 100

/**
 * The tasks whose files a task works on, in the order it names them and as often as it does. An export to the owner's
 * storage keeps no files: it is replaced by the tasks it exported. Undefined: together they have too many files. `read`
 * contains the tasks that were already read.
 */
export async function findInputs(
  db: Executor,
  ids: readonly ObjectId[],
  read: readonly TaskRecord[] = [],
): Promise<readonly TaskRecord[] | undefined> {
  const known = new Map(read.map((task) => [task.id, task]))
  const asked = new Set<ObjectId>()
  let layers = 0
  for (let layer = unasked(ids, asked); layer.length > 0; layers++) {
    if (layers === mostLayers) return undefined
    const unknown = layer.filter((id) => !known.has(id))
    for (const task of await findTasksById(db, unknown)) known.set(task.id, task)
    const found = layer.flatMap((id) => known.get(id) ?? [])
    layer = unasked(
      found.filter(handsOn).flatMap(({ dependsOn }) => dependsOn),
      asked,
    )
  }
  return expand(ids, known)
}

/** Naming a task twice doubles its files, so files are counted as they are added. */
function expand(ids: readonly ObjectId[], known: ReadonlyMap<ObjectId, TaskRecord>): TaskRecord[] | undefined {
  const inputs: TaskRecord[] = []
  let files = 0
  const take = (id: ObjectId): void => {
    const task = known.get(id)
    if (!task || files > mostInputFiles) return
    if (handsOn(task)) {
      for (const handed of task.dependsOn) take(handed)
    } else {
      inputs.push(task)
      files += Math.max(1, task.files.length)
    }
  }
  for (const id of ids) take(id)
  return files > mostInputFiles ? undefined : inputs
}

function unasked(ids: readonly ObjectId[], asked: Set<ObjectId>): readonly ObjectId[] {
  const fresh = [...new Set(ids)].filter((id) => !asked.has(id))
  for (const id of fresh) asked.add(id)
  return fresh
}

/** A task that was deleted, canceled or failed is not replaced: it is the cause of the failure. */
function handsOn({ status, exported }: TaskRecord): boolean {
  return status === 'completed' && exported !== null
}
