import { type Executor, filesOf, type ParentTask } from '@lathe/database'
import { invalidField, kindOf, type ObjectId, type Operation } from '@lathe/domain'
import type { NewTask } from './plan-creation.ts'

/**
 * Refuses a merge of one earlier task that is certain to hold a single file. Where it is not yet known what the
 * task will hold, the merge is accepted and finds out when it runs.
 */
export async function refuseLonelyMerges(
  tx: Executor,
  tasks: readonly NewTask[],
  parents: ReadonlyMap<ObjectId, ParentTask>,
): Promise<void> {
  for (const { operation, inputs } of tasks) {
    const [input] = inputs
    if (operation !== 'merge' || inputs.length !== 1 || input?.kind !== 'task') continue
    const parent = parents.get(input.id)
    if (parent && (await holdsOneFile(tx, parent))) {
      throw invalidField(input.path, `task ${input.id} holds one file. A merge needs at least two: name another task.`)
    }
  }
}

async function holdsOneFile(tx: Executor, { id, status, operation }: ParentTask): Promise<boolean> {
  if (status === 'completed') return ((await filesOf(tx, [id])).get(id) ?? []).length === 1
  // A bucket may be imported by prefix, as several files; every other import brings one.
  return kindOf(operation as Operation) === 'import' && operation !== 'import/objstore_a'
}
