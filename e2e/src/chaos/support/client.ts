import type { Job, Task } from '@lathe/contract'

export interface Answer<T> {
  readonly status: number
  readonly body: T
}

/** A client that expects failures: it returns every response as it came, and throws only when there was none. */
export interface Client {
  post<T>(path: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer<T>>
  /** Creates a task that must be accepted. */
  create(operation: string, json?: unknown): Promise<Task>
  createJob(tasks: Readonly<Record<string, unknown>>): Promise<Job>
  upload(bytes: Uint8Array, filename: string): Promise<Task>
  task(id: string): Promise<Task>
  download(url: string | undefined): Promise<Buffer>
}

const answerMs = 60_000

/** Calls one api with one key. */
export function createClient(url: string, key: string): Client {
  async function send<T>(method: string, path: string, json?: unknown, headers = {}): Promise<Answer<T>> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(answerMs),
    })
    return { status: response.status, body: (await response.json()) as T }
  }

  const post: Client['post'] = (path, json, headers) => send('POST', path, json, headers)

  async function created<T>(path: string, json?: unknown): Promise<T> {
    const { status, body } = await post<T>(path, json)
    if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  const create: Client['create'] = (operation, json) => created(`/v1/process/${operation}`, json)
  return {
    post,
    create,
    createJob: (tasks) => created('/v1/process/jobs', { tasks }),
    async upload(bytes, filename) {
      const { result } = await create('import/upload')
      const form = new FormData()
      for (const [name, value] of Object.entries(result.form?.parameters ?? {})) form.append(name, value)
      form.append('file', new Blob([Buffer.from(bytes)]), filename)
      const response = await fetch(result.form?.url ?? '', { method: 'POST', body: form })
      if (response.status !== 200) throw new Error(`the upload was answered with ${response.status}`)
      return (await response.json()) as Task
    },
    task: async (id) => (await send<Task>('GET', `/v1/process/tasks/${id}`)).body,
    async download(link) {
      const response = await fetch(link ?? '')
      if (response.status !== 200) throw new Error(`the link answered ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}
