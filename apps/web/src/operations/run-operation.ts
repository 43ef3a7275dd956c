import type { Job, Task } from '@lathe/contract'
import { call } from '../api/client.ts'
import { sendFile } from '../api/send-file.ts'
import { nameJob } from '../converter/name-job.ts'

/** What to run. */
export interface Order {
  readonly operation: string
  readonly files: readonly File[]
  readonly roles: Readonly<Record<string, File>>
  /** The fields of the request other than files. */
  readonly fields: Readonly<Record<string, unknown>>
}

// If there are files to send, sending takes about half of the time.
const usualSendingShare = 0.5

/** Sends files, runs one operation on them, and returns its task, however it ended. An aborted run is canceled. */
export async function runOperation(
  { operation, files, roles, fields }: Order,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Task> {
  const named = files.map((file, n) => [`file-${n + 1}`, file] as const)
  const all = [...named, ...Object.entries(roles)]
  const imports = all.map(([name]) => [name, { operation: 'import/upload' }])
  const result = {
    operation,
    ...(named.length > 0 && { input: named.map(([name]) => name) }),
    ...Object.fromEntries(Object.keys(roles).map((role) => [role, role])),
    ...fields,
  }
  const sendingShare = all.length > 0 ? usualSendingShare : 0
  const target = typeof fields.output_format === 'string' ? fields.output_format : undefined
  const tagged = nameJob(
    all.map(([, { name }]) => name),
    target,
  )
  const json = { ...tagged, tasks: { ...Object.fromEntries(imports), result } }
  const job = await call<Job>('/v1/process/jobs', { method: 'POST', json, signal })
  try {
    await sendAll(job, all, signal, (share) => onProgress(share * sendingShare))
    return await untilEnded(job.id, signal, (share) => onProgress(sendingShare + share * (1 - sendingShare)))
  } catch (error) {
    for (const { id } of job.tasks ?? []) {
      void call(`/v1/process/tasks/${id}/cancel`, { method: 'POST' }).catch(() => undefined)
    }
    throw error
  }
}

async function sendAll(
  job: Job,
  files: readonly (readonly [string, File])[],
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const total = files.reduce((sum, [, { size }]) => sum + size, 0) || 1
  let sent = 0
  for (const [name, file] of files) {
    const form = job.tasks?.find((task) => task.name === name)?.result.form
    if (!form) throw new Error(`the job has no form for ${name}`)
    await sendFile(form, file, {
      name: file.name,
      signal,
      onProgress: (share) => onProgress((sent + share * file.size) / total),
    })
    sent += file.size
    onProgress(sent / total)
  }
}

async function untilEnded(jobId: string, signal: AbortSignal, onProgress: (share: number) => void): Promise<Task> {
  for (;;) {
    const headers = { prefer: 'wait=2' }
    const { tasks = [] } = await call<Job>(`/v1/process/jobs/${jobId}`, { signal, headers })
    // The first failure is the cause of the others.
    const failed = tasks.find(({ status }) => status === 'failed' || status === 'canceled')
    const last = tasks.find(({ name }) => name === 'result')
    if (failed) return failed
    if (last && last.status === 'completed') return last
    onProgress((last?.progress?.percent ?? 0) / 100)
    signal.throwIfAborted()
  }
}
