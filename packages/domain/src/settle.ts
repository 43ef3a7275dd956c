import type { FailureCode } from './failures.ts'
import { type JobErrorCode, type JobStatus, jobErrorCodes, jobStatusAfter } from './job-state.ts'
import { causeOfBadInput } from './readiness.ts'
import { canMoveTask, isBadEnd, type TaskStatus } from './task-state.ts'

/** The parts of a task that the rules need. */
export interface TaskNode {
  readonly id: string
  readonly jobId: string | null
  readonly status: TaskStatus
  /** How many of its inputs have not completed. */
  readonly pending: number
}

/** The parts of a job that the rules need. */
export interface JobNode {
  readonly id: string
  readonly status: JobStatus
  /** How many of its tasks have not completed. */
  readonly remaining: number
}

/** The tasks that a move can affect, their jobs, and which task waits for which. */
export interface Family {
  readonly tasks: readonly TaskNode[]
  readonly jobs: readonly JobNode[]
  readonly edges: readonly { readonly parent: string; readonly child: string }[]
}

export interface TaskMove {
  readonly id: string
  readonly to: TaskStatus
  readonly cause?: FailureCode
}

export interface JobChange {
  readonly id: string
  readonly from: JobStatus
  readonly status: JobStatus
  readonly remaining: number
  readonly errorCode?: JobErrorCode
}

/** All effects of a move, in the order of their events. */
export interface Effects {
  /** The move itself first, then its consequences; a task at most once. */
  readonly moves: readonly TaskMove[]
  /** Waiting tasks that now wait for fewer inputs; those at 0 are ready. */
  readonly waiting: ReadonlyMap<string, number>
  readonly jobs: readonly JobChange[]
}

/**
 * Works out everything that follows from moving some tasks: dependants that become ready or can no longer succeed, and
 * the new states of the jobs. Ignores moves that the state table does not allow.
 */
export function settle(family: Family, roots: readonly TaskMove[]): Effects {
  const tasks = new Map(family.tasks.map((task) => [task.id, task]))
  const children = Map.groupBy(family.edges, ({ parent }) => parent)
  const moves = new Map<string, TaskMove>()
  const waiting = new Map<string, number>()
  const jobs = new Map(family.jobs.map((job) => [job.id, { ...job }]))
  const errors = new Map<string, JobErrorCode>()
  const asked = new Set(roots.map(({ id }) => id))

  for (const root of roots) {
    // The move and its consequences, breadth first; the array grows during iteration.
    const queue: TaskMove[] = [root]
    for (const move of queue) {
      const task = tasks.get(move.id)
      if (!task || moves.has(move.id) || !canMoveTask(task.status, move.to)) continue
      moves.set(move.id, move)
      moveJob(task, move.to, root.to)
      queue.push(...consequences(move))
    }
  }

  const changed = family.jobs.flatMap((before) => {
    const after = jobs.get(before.id) ?? before
    if (after.status === before.status && after.remaining === before.remaining) return []
    const errorCode = errors.get(before.id)
    return [{ ...after, from: before.status, ...(errorCode && { errorCode }) }]
  })
  return { moves: [...moves.values()], waiting, jobs: changed }

  function consequences(move: TaskMove): TaskMove[] {
    const dependants = (children.get(move.id) ?? []).map(({ child }) => child)
    if (move.to === 'completed') {
      for (const child of dependants) unblock(child)
      return []
    }
    if (!isBadEnd(move.to)) return []
    const cause = causeOfBadInput[move.to]
    // A running dependant has its inputs and may finish. A dependant with a requested move keeps that move.
    return dependants
      .filter((child) => tasks.get(child)?.status === 'created' && !asked.has(child))
      .map((id) => ({ id, to: 'failed', cause }))
  }

  function unblock(id: string): void {
    const child = tasks.get(id)
    if (child?.status !== 'created') return
    waiting.set(id, (waiting.get(id) ?? child.pending) - 1)
  }

  function moveJob({ jobId }: TaskNode, to: TaskStatus, rootEnd: TaskStatus): void {
    const job = jobId === null ? undefined : jobs.get(jobId)
    if (!job) return
    if (to === 'completed') job.remaining -= 1
    const before = job.status
    job.status = jobStatusAfter(before, to, job.remaining)
    if (isBadEnd(to) && job.status !== before) errors.set(job.id, jobErrorCodes[isBadEnd(rootEnd) ? rootEnd : to])
  }
}
