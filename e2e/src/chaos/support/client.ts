import type { Job, Task } from '@lathe/contract'
import { Lathe, type NewJob } from '@lathe/sdk'
import { asSent } from '../../client.ts'

export interface Answer<T> {
  readonly status: number
  readonly body: T
  /** Seconds, of the header `Retry-After`. */
  readonly retryAfter: number | undefined
}

/** A client that expects failures, and hides none by a retry. */
export interface Client {
  /** Sends exactly this request. Returns every response as it came, and throws only when there was none. */
  post<T>(path: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer<T>>
  /** Creates a task that must be accepted. */
  create(operation: string, json?: unknown): Promise<Task>
  createJob(tasks: Readonly<Record<string, unknown>>): Promise<Job>
  upload(bytes: Uint8Array, filename: string): Promise<Task>
  task(id: string): Promise<Task>
  download(url: string | undefined): Promise<Buffer>
}

const answerMs = 60_000

/** Calls one api with one key, through the SDK, except for requests that must be exact. */
export function createClient(url: string, key: string): Client {
  const lathe = new Lathe({ baseUrl: url, key, retries: 0, timeoutMs: answerMs })

  return {
    async post<T>(path: string, json?: unknown, headers = {}) {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(answerMs),
      })
      const seconds = response.headers.get('retry-after')
      const retryAfter = seconds === null ? undefined : Number(seconds)
      return { status: response.status, body: (await response.json()) as T, retryAfter }
    },
    async create(operation, json) {
      return asSent<Task>((await lathe.tasks.create(operation as 'import/upload', json as object)).now)
    },
    async createJob(tasks) {
      return asSent<Job>((await lathe.jobs.create({ tasks: tasks as NewJob<string>['tasks'] })).now)
    },
    async upload(bytes, filename) {
      const task = await lathe.tasks.create('import/upload', {})
      await task.upload(bytes, { name: filename })
      return asSent<Task>((await lathe.tasks.get(task.id)).now)
    },
    task: async (id) => asSent<Task>((await lathe.tasks.get(id)).now),
    async download(link) {
      const response = await fetch(link ?? '')
      if (response.status !== 200) throw new Error(`the link answered ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}
