import type { ErrorBody, Task } from '@lathe/contract'
import type { InjectOptions } from 'fastify'
import type { TestApi } from './start-api.ts'

/** The parts of an answer that tests check. */
export interface Answer<T> {
  readonly status: number
  readonly body: T
}

/** A user of the api and their requests. */
export interface User {
  get<T = Task>(url: string, headers?: Record<string, string>): Promise<Answer<T>>
  post<T = Task>(url: string, payload?: object, headers?: Record<string, string>): Promise<Answer<T>>
  patch<T = Task>(url: string, payload: object): Promise<Answer<T>>
  remove(url: string): Promise<Answer<ErrorBody | undefined>>
  upload(): Promise<Task>
}

/** Creates a new user, so that lists contain only what the test created. */
export async function newUser(api: TestApi): Promise<User> {
  const { headers } = await api.createKey()
  async function call<T>(options: InjectOptions): Promise<Answer<T>> {
    const response = await api.app.inject({ ...options, headers: { ...headers, ...options.headers } })
    return { status: response.statusCode, body: (response.body === '' ? undefined : response.json()) as T }
  }
  const user: User = {
    get: (url, more = {}) => call({ url, headers: more }),
    post: (url, payload = {}, more = {}) => call({ method: 'POST', url, payload, headers: more }),
    patch: (url, payload) => call({ method: 'PATCH', url, payload }),
    remove: (url) => call({ method: 'DELETE', url }),
    upload: async () => (await user.post('/v1/process/import/upload')).body,
  }
  return user
}

/** Completes an upload as if its file had arrived. */
export async function completeUpload(api: TestApi, { id }: Task): Promise<void> {
  const file = { n: 0, key: `k/${id}`, filename: 'a.jpg', format: 'jpg', size: 3, sha256: 'ab'.repeat(32), crc32: 1 }
  const done = await api.services.orchestrator.completeUpload(id, file)
  if (!done) throw new Error('the upload was not waiting')
}

/** Creates a failed task: its input was canceled. */
export async function failedTask(user: User): Promise<Task> {
  const source = await user.upload()
  const { body: child } = await user.post('/v1/process/convert', { input: source.id, output_format: 'webp' })
  await user.post(`/v1/process/tasks/${source.id}/cancel`)
  return child
}
