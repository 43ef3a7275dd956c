import { findTask, type TaskRecord } from '@lathe/database'
import { canMoveTask, type ObjectId, Problem } from '@lathe/domain'
import { announce } from './after-commit.ts'
import type { Caller, Context } from './context.ts'
import { type Answer, type Idempotency, oncePerKey } from './idempotent.ts'
import { type Settled, settleTasks } from './settle-tasks.ts'

/** Cancels an open task; its dependants fail. Canceling a canceled task again has no effect. */
export async function cancelTask(
  context: Context,
  caller: Caller,
  id: ObjectId,
  idempotency?: Idempotency,
): Promise<Answer<TaskRecord>> {
  let settled: Settled | undefined
  const answer = await context.database.transaction((tx) =>
    oncePerKey(tx, context, caller, idempotency, async () => {
      const scope = { ownerId: caller.ownerId, id, now: context.clock.now() }
      if (!(await findTask(tx, scope))) throw new Problem('not_found')
      settled = await settleTasks(tx, context, { roots: [id], reach: 'descendants' }, (tasks) => {
        const status = tasks.get(id)?.status
        return status && canMoveTask(status, 'canceled') ? [{ id, to: 'canceled' }] : []
      })
      const task = await findTask(tx, scope)
      if (!task) throw new Problem('not_found')
      if (task.status !== 'canceled') {
        throw new Problem('task_not_cancelable', {
          msg: `The task is ${task.status}. Only a task that is created or processing can be canceled.`,
        })
      }
      return task
    }),
  )
  if (settled) await announce(context, settled)
  return answer
}
