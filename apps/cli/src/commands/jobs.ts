import { type Job, JobFailedError, type Lathe, TaskFailedError } from '@lathe/sdk'
import { duration, shown } from '../batch/reporter.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeLines, writeTable } from '../write.ts'

interface JsonFlag {
  readonly json?: boolean
}

/** Lists the newest jobs. */
export async function listJobs(
  lathe: Lathe,
  { status, tag, limit, json }: JsonFlag & { readonly status?: string; readonly tag?: string; readonly limit: number },
): Promise<void> {
  const jobs: Job[] = []
  const filters = {
    ...(status && { status: status as Job['status'] }),
    ...(tag && { tag }),
    per_page: Math.min(200, limit),
  }
  for await (const job of lathe.jobs.list(filters)) {
    if (jobs.push(job) >= limit) break
  }
  if (json) return writeLines(jobs.map((job) => JSON.stringify(job)))
  writeTable(jobs.map(({ id, status: now, createdAt, tag: own }) => [id, now, createdAt, own ?? '']))
}

export async function showJob(lathe: Lathe, id: string, { json }: JsonFlag): Promise<void> {
  const { now } = await lathe.jobs.get(id)
  if (json) return writeLines([JSON.stringify(now)])
  writeLines([`${now.id}  ${now.status}  ${now.createdAt}${now.tag ? `  ${shown(now.tag)}` : ''}`])
  writeTable(
    (now.tasks ?? []).map((task) => [
      `  ${task.name}`,
      task.operation,
      task.status,
      tookOf(task.startedAt, task.endedAt),
      task.result.msg ?? (task.result.files ?? []).map(({ filename }) => filename ?? '').join(', '),
    ]),
  )
}

function tookOf(startedAt: string | null, endedAt: string | null): string {
  return startedAt && endedAt ? duration(Date.parse(endedAt) - Date.parse(startedAt)) : ''
}

/** Follows a job to its end and prints one line per event. */
export async function watchJob(lathe: Lathe, id: string, { json }: JsonFlag, signal: AbortSignal): Promise<number> {
  const job = await lathe.jobs.get(id, { signal })
  const onEvent = (event: { type: string; createdAt: string; data: object }) => {
    const task =
      'task' in event.data ? (event.data.task as { name: string; progress: { percent: number } | null }) : undefined
    const percent = event.type === 'task.progress' && task?.progress ? ` ${task.progress.percent} %` : ''
    const line = json
      ? JSON.stringify(event)
      : `${event.createdAt}  ${event.type}  ${shown(task?.name ?? '')}${percent}`
    writeLines([line.trimEnd()])
  }
  try {
    await job.done({ signal, onEvent })
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof TaskFailedError || error instanceof JobFailedError)) throw error
    process.stderr.write(`${shown(error.message)}\n`)
    return exitCodes.someFailed
  }
}

export async function cancelJob(lathe: Lathe, id: string): Promise<void> {
  const job = await lathe.jobs.get(id)
  await job.cancel()
}
