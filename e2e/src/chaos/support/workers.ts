import { type AppProcess, type Stack, waitFor } from '@lathe/testing'
import { findBusyEngine } from './engine-processes.ts'
import { findTaskRow, type TaskRow } from './record.ts'

/** Waits until a task's engine is running and returns the process of the stack that runs it. */
export async function workerOf(stack: Stack, taskId: string): Promise<{ worker: AppProcess; row: TaskRow }> {
  const find = () => stack.apps('worker').find((worker) => findBusyEngine(stack, worker).length > 0)
  const worker = await waitFor(find, { withinMs: 90_000, everyMs: 50, what: 'a worker with a busy engine' })
  const row = await findTaskRow(stack, taskId)
  if (row.workerId === null) throw new Error(`task ${taskId} has no worker`)
  return { worker, row }
}
