import type { JobFacts, TaskFacts } from '@lathe/contract'
import type { JobRecord, TaskRecord } from '@lathe/database'
import type { ProgressBoard } from '@lathe/queue'

type Board = Pick<ProgressBoard, 'read'>

/** Adds progress to running tasks: one Redis call, and none if no task runs. */
export async function withProgress(board: Board, tasks: readonly TaskRecord[]): Promise<readonly TaskFacts[]> {
  const running = tasks.filter(({ status }) => status === 'processing')
  const found = await board.read(running.map(({ id }) => id))
  return tasks.map((task) => ({ ...task, progress: found.get(task.id) ?? null }))
}

/** Adds progress to one task. */
export async function withOwnProgress(board: Board, task: TaskRecord): Promise<TaskFacts> {
  const [known = task] = await withProgress(board, [task])
  return known
}

/** Adds progress to the running tasks of jobs. */
export async function withTaskProgress(board: Board, jobs: readonly JobRecord[]): Promise<readonly JobFacts[]> {
  const tasks = await withProgress(
    board,
    jobs.flatMap((job) => job.tasks),
  )
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return jobs.map((job) => ({ ...job, tasks: job.tasks.map((task) => byId.get(task.id) ?? task) }))
}
