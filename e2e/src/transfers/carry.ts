import type { Job, Task } from '@lathe/contract'
import type { AppProcess } from '@lathe/testing'
import type { Client } from '../client.ts'
import type { Store } from './stores.ts'

export interface Carried {
  readonly seconds: number
  /** Peak memory growth of the worker in bytes. */
  readonly growth: number
  /**
   * The digest of the file after each step, as reported by the service: imported, stored, fetched, stored again,
   * fetched again.
   */
  readonly digests: readonly (string | undefined)[]
}

export interface Load {
  readonly url: string
  readonly store: Store
  readonly worker: AppProcess
}

/** Imports a file into the store, copies it within the store in one job, then reads it once more. */
export async function carry(api: Client, { url, store, worker }: Load): Promise<Carried> {
  const operation = (kind: 'import' | 'export') => ({ operation: `${kind}/${store.name}` })
  const first = 'in/file.bin'
  const second = 'out/file.bin'
  const startedAt = performance.now()
  using memory = watchMemory(worker)
  const digests = [
    ...(await runJob(api, {
      bring: { operation: 'import/url', url },
      store: { ...operation('export'), ...store.at(first), input: 'bring' },
    })),
    ...(await runJob(api, {
      fetch: { ...operation('import'), ...store.at(first) },
      store: { ...operation('export'), ...store.at(second), input: 'fetch' },
    })),
    ...(await runJob(api, { look: { ...operation('import'), ...store.at(second) } })),
  ]
  return { seconds: (performance.now() - startedAt) / 1000, growth: memory.growth(), digests }
}

/** Runs a job to its end and deletes it: its files are large. */
async function runJob(api: Client, tasks: Readonly<Record<string, unknown>>): Promise<(string | undefined)[]> {
  const { id } = await api.createJob(tasks)
  const job = await untilEnded(api, id)
  const failed = job.tasks?.find(({ status }) => status === 'failed')
  if (failed) throw new Error(`${failed.operation} failed: ${JSON.stringify(failed.result)}`)
  const digests = Object.keys(tasks).map((name) => digestOf(job.tasks?.find((task) => task.name === name)))
  await api.remove(`/v1/process/jobs/${id}`)
  return digests
}

// A gigabyte takes longer than the timeout of the scenarios' client.
async function untilEnded(api: Client, id: string): Promise<Job> {
  for (let tries = 0; tries < 120; tries++) {
    const { body } = await api.get<Job>(`/v1/process/jobs/${id}`, { prefer: 'wait=30' })
    if (body.status !== 'created' && body.status !== 'processing') return body
  }
  throw new Error('the job did not end within an hour')
}

function digestOf(task: Task | undefined): string | undefined {
  return task?.result.exported?.[0]?.sha256 ?? task?.result.files?.[0]?.sha256
}

/** Tracks the resident memory of a process. */
function watchMemory(worker: AppProcess): Disposable & { growth(): number } {
  const before = worker.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, worker.rss())
  }, 50)
  return { growth: () => most - before, [Symbol.dispose]: () => clearInterval(timer) }
}
