import { type Executor, filesOf, type ParentTask } from '@lathe/database'
import { invalidField, type ObjectId } from '@lathe/domain'
import { asImport, needsSeveral, type Operation } from '@lathe/operations'
import type { NewTask } from './plan-creation.ts'

/**
 * Rejects a task that needs several files but has a single earlier task as input that certainly has only one file. If
 * the number of files is not known yet, the task is accepted and checks it when it runs.
 */
export async function refuseTooFewFiles(
  tx: Executor,
  tasks: readonly NewTask[],
  parents: ReadonlyMap<ObjectId, ParentTask>,
): Promise<void> {
  for (const { operation, inputs } of tasks) {
    const [input] = inputs
    if (!needsSeveral(operation) || inputs.length !== 1 || input?.kind !== 'task') continue
    const parent = parents.get(input.id)
    if (parent && (await holdsOneFile(tx, parent))) {
      throw invalidField(
        input.path,
        `task ${input.id} holds one file. A ${operation} needs at least two: name another task.`,
      )
    }
  }
}

async function holdsOneFile(tx: Executor, { id, status, operation }: ParentTask): Promise<boolean> {
  if (status === 'completed') return ((await filesOf(tx, [id], { to: 2 })).get(id) ?? []).length === 1
  // Its options are not known here: an import that can fetch several files may do so.
  const importing = asImport(operation as Operation)
  return importing !== undefined && importing.mayBringSeveral === undefined
}
