import type { Job, Page, Task } from '@lathe/contract'
import { withAllFiles } from '@lathe/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call, send } from '../../api/client.ts'
import { statusOf } from '../../api/errors.ts'
import { queries } from '../../app/queries.ts'
import { type JobFilter, spanMs } from './job-filter.ts'

const path = '/v1/process/jobs'
const perPage = 10

/** A page of jobs with their tasks, newest first. */
export const jobsQuery = (filter: JobFilter) =>
  queryOptions({
    queryKey: ['jobs', filter],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call<Page<Job>>(`${path}?${toQuery(filter)}`, { signal }),
  })

function toQuery({ status, tag, span, after, before }: JobFilter): URLSearchParams {
  const from = span && new Date(Date.now() - spanMs[span]).toISOString()
  const given = { status, tag, from, after, before }
  const known = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return new URLSearchParams([['include', 'tasks'], ['per_page', String(perPage)], ...known])
}

/** A job, or the receipts of a deleted one. */
export type JobOrReceipt =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'deleted'; readonly tasks: readonly Task[] }
  | { readonly kind: 'unknown' }

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: async ({ signal }): Promise<JobOrReceipt> => {
      try {
        return { kind: 'job', job: await call<Job>(`${path}/${encodeURIComponent(id)}`, { signal }) }
      } catch (cause) {
        const status = statusOf(cause)
        if (status === 400) return { kind: 'unknown' }
        if (status !== 404) throw cause
        const tasks = await loadReceipts(id, signal)
        return tasks.length === 0 ? { kind: 'unknown' } : { kind: 'deleted', tasks }
      }
    },
  })

async function loadReceipts(job: string, signal: AbortSignal): Promise<readonly Task[]> {
  const wanted = new URLSearchParams({ status: 'deleted', job, per_page: '100' })
  const { docs } = await call<Page<Task>>(`/v1/process/tasks?${wanted}`, { signal })
  return Promise.all(docs.map((task) => withAllFiles(api(), task, { signal })))
}

/** The task with all its files: its job shows only the first of many. */
export const wholeTaskQuery = (task: Task) =>
  queryOptions({
    queryKey: ['files', task.id, task.updatedAt],
    queryFn: ({ signal }) => withAllFiles(api(), task, { signal }),
    placeholderData: task,
    enabled: (task.result.filesTotal ?? 0) > (task.result.files?.length ?? 0),
  })

/** Replaces the shown job with the one from an event. True if it was shown. */
export function takeJob(job: Job): boolean {
  const pages = queries.getQueriesData<Page<Job>>({ queryKey: ['jobs'] })
  const shown = pages.filter(([, page]) => page?.docs.some(({ id }) => id === job.id))
  for (const [key] of shown) {
    queries.setQueryData<Page<Job>>(
      key,
      (page) => page && { ...page, docs: page.docs.map((one) => (one.id === job.id ? job : one)) },
    )
  }
  const one = queries.getQueryData(jobQuery(job.id).queryKey)
  if (one?.kind === 'job') queries.setQueryData<JobOrReceipt>(jobQuery(job.id).queryKey, () => ({ kind: 'job', job }))
  return shown.length > 0 || one?.kind === 'job'
}

/** The same for one task of a job. */
export function takeTask(task: Task): void {
  const withTask = (job: Job): Job =>
    job.id === task.job ? { ...job, tasks: (job.tasks ?? []).map((one) => (one.id === task.id ? task : one)) } : job
  queries.setQueriesData<Page<Job>>(
    { queryKey: ['jobs'] },
    (page) => page && { ...page, docs: page.docs.map(withTask) },
  )
  if (task.job === null) return
  queries.setQueryData<JobOrReceipt>(jobQuery(task.job).queryKey, (one) =>
    one?.kind === 'job' ? { kind: 'job', job: withTask(one.job) } : one,
  )
}

/** Runs the job again and returns the new job. */
export async function runAgain(id: string): Promise<Job> {
  return call<Job>(`${path}/${id}/run-again`, { method: 'POST', json: {} })
}

/**
 * Cancels every task that has not ended, the last ones first: tasks that depend on a canceled task would fail instead.
 */
export async function cancelJob({ id, tasks = [] }: Job): Promise<void> {
  for (const task of tasks.toReversed()) {
    if (task.status !== 'created' && task.status !== 'processing') continue
    await send(`/v1/process/tasks/${task.id}/cancel`, { method: 'POST' }).catch((cause: unknown) => {
      // It may have ended in the meantime.
      if ((statusOf(cause) ?? 500) >= 500) throw cause
    })
  }
  await queries.invalidateQueries({ queryKey: jobQuery(id).queryKey })
}

/** Deletes a job with its files; its receipts replace it. */
export async function deleteJob({ id }: Job): Promise<void> {
  await send(`${path}/${id}`, { method: 'DELETE' })
  await queries.invalidateQueries({ queryKey: ['jobs'] })
  await queries.invalidateQueries({ queryKey: jobQuery(id).queryKey })
}
