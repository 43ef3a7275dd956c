import type { Task } from '@lathe/contract'
import type { PlanBench } from '@lathe/testing'
import type { Client } from '../client.ts'
import { endOf, untilEnded } from '../proving/turn.ts'
import { type Judged, judge, type Made } from './outcome.ts'

/** Converts an imported file through the whole service and opens the result. */
export async function runOurs(api: Client, bench: PlanBench, imported: Task, to: string): Promise<Judged> {
  const { body, status } = await startOurs(api, imported, to)
  if (status !== 201) return { outcome: { end: 'refused', text: JSON.stringify(body), ms: 0 }, words: '' }
  const ended = await untilEnded(api, body.id)
  // The answer shows only the first of many files.
  const task = ended.result.filesTotal === undefined ? ended : await api.task(ended.id)
  const { result } = task
  const ms = timeOf(task)
  if (task.status !== 'completed') {
    return { outcome: { end: endOf(task), text: result.msg ?? '', ms }, words: '' }
  }
  const made: Made[] = []
  for (const { url } of result.files ?? []) made.push({ format: to, bytes: await api.download(url) })
  return judge(bench, made, { ms, ...(result.warnings?.length && { warnings: result.warnings }) })
}

/** How long the service takes for an imported file; undefined if it does not convert it. */
export async function timeOurs(api: Client, imported: Task, to: string): Promise<number | undefined> {
  const { body, status } = await startOurs(api, imported, to)
  if (status !== 201) return undefined
  const task = await untilEnded(api, body.id)
  return task.status === 'completed' ? timeOf(task) : undefined
}

function startOurs(api: Client, imported: Task, to: string) {
  return api.post<Task>('/v1/process/convert', { input: [imported.id], output_format: to })
}

// Without the time in the queue.
function timeOf({ startedAt, endedAt }: Task): number {
  return startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : 0
}
