import type { ErrorBody, Job, Page, Task } from '@lathe/contract'
import { Lathe, type NewJob } from '@lathe/sdk'
import { checkAnswer } from './check-answer.ts'

/** A response that the OpenAPI document allows. */
export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
  readonly bytes: Buffer
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array | FormData
}

export interface ClientOptions {
  readonly url: string
  readonly key?: string | undefined
  /** The file that records the responses. */
  readonly recordFile: string
}

/**
 * The API as a client program uses it: through the SDK, and through plain HTTP where the exact request matters or the SDK
 * has no call for it, such as for one page of a list.
 */
export interface Client {
  readonly url: string
  /** Sends exactly this request to a path, or to a link from the service, and returns any documented response. */
  send<T>(method: string, target: string, options?: RequestOptions): Promise<Answer<T>>
  get<T>(target: string, headers?: RequestOptions['headers']): Promise<Answer<T>>
  post<T>(target: string, json?: unknown, headers?: RequestOptions['headers']): Promise<Answer<T>>
  /** Sends a request that must be refused, and returns the error. */
  refused(method: string, target: string, options?: RequestOptions): Promise<ErrorBody>
  /** Creates a task that must be accepted. */
  create(operation: string, json?: unknown): Promise<Task>
  /** Creates a task and waits for its end. */
  run(operation: string, json?: unknown): Promise<Task>
  /** Uploads a file of any size. */
  importBytes(bytes: Uint8Array, filename: string): Promise<Task>
  createJob(tasks: Readonly<Record<string, unknown>>, tag?: string): Promise<Job>
  runJob(tasks: Readonly<Record<string, unknown>>): Promise<Job>
  task(id: string): Promise<Task>
  job(id: string): Promise<Job>
  /** One page, as it was sent. */
  tasks(query?: string): Promise<Page<Task>>
  jobs(query?: string): Promise<Page<Job>>
  endedTask(id: string): Promise<Task>
  endedJob(id: string): Promise<Job>
  remove(target: string): Promise<void>
  /** Fetches a link without a key. Does not resume a download as the SDK does: a lost connection is a fault. */
  download(url: string | undefined): Promise<Buffer>
  withKey(key: string | undefined): Client
}

const tooLongMs = 90_000

/** A client that throws on every response that the OpenAPI document does not describe. */
export function createClient(options: ClientOptions): Client {
  const { url, key, recordFile } = options
  const lathe = new Lathe({ baseUrl: url, retries: 0, fetch: fetchChecked, ...(key !== undefined && { key }) })

  /** Checks requests and responses of the SDK against the OpenAPI document as well. */
  async function fetchChecked(target: string | URL | Request, init?: RequestInit): Promise<Response> {
    const response = await fetch(target, { redirect: 'manual', ...init })
    const { status, headers } = response
    const contentType = headers.get('content-type')
    const isStream = contentType?.startsWith('text/event-stream') ?? false
    const bytes = isStream ? Buffer.alloc(0) : Buffer.from(await response.arrayBuffer())
    const path = new URL(String(target)).pathname
    checkAnswer({ method: init?.method ?? 'GET', path, status, contentType, bytes }, recordFile)
    return isStream ? response : new Response(status === 204 ? null : bytes, { status, headers })
  }

  async function send<T>(method: string, target: string, { headers = {}, json, raw }: RequestOptions = {}) {
    const { pathname, search } = new URL(target, url)
    const response = await fetch(`${url}${pathname}${search}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(raw !== undefined && { body: raw as NonNullable<RequestInit['body']> }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const contentType = response.headers.get('content-type')
    const body = checkAnswer({ method, path: pathname, status: response.status, contentType, bytes }, recordFile) as T
    return { status: response.status, headers: response.headers, body, bytes }
  }

  async function expectStatus<T>(status: number, answer: Promise<Answer<T>>): Promise<T> {
    const { status: given, body } = await answer
    if (given !== status) throw new Error(`expected ${status}, got ${given}: ${JSON.stringify(body)}`)
    return body
  }

  /** The scenario judges failures. */
  const toItsEnd = () => ({ evenIfFailed: true, signal: AbortSignal.timeout(tooLongMs) })

  const client: Client = {
    url,
    send,
    get: (target, headers = {}) => send('GET', target, { headers }),
    post: (target, json, headers = {}) => send('POST', target, { json, headers }),
    async refused(method, target, request) {
      const { status, body } = await send<ErrorBody>(method, target, request)
      if (status < 400) throw new Error(`${method} ${target} was not refused: ${status} ${JSON.stringify(body)}`)
      if (body.status !== status) throw new Error(`the body says ${body.status}, the answer ${status}`)
      return body
    },
    async create(operation, json) {
      return asSent<Task>((await lathe.tasks.create(operation as 'import/base64', json as never)).now)
    },
    async run(operation, json) {
      const task = await lathe.tasks.create(operation as 'import/base64', json as never)
      return asSent<Task>((await task.done(toItsEnd())).now)
    },
    async importBytes(bytes, filename) {
      const task = await lathe.tasks.create('import/upload', {})
      await task.upload(bytes, { name: filename })
      return asSent<Task>((await lathe.tasks.get(task.id)).now)
    },
    async createJob(tasks, tag) {
      return asSent<Job>((await lathe.jobs.create(asOrder(tasks, tag))).now)
    },
    async runJob(tasks) {
      const job = await lathe.jobs.create(asOrder(tasks))
      return asSent<Job>((await job.done(toItsEnd())).now)
    },
    task: async (id) => asSent<Task>((await lathe.tasks.get(id)).now),
    job: async (id) => asSent<Job>((await lathe.jobs.get(id)).now),
    tasks: (query = '') => expectStatus(200, send<Page<Task>>('GET', `/v1/process/tasks${query}`)),
    jobs: (query = '') => expectStatus(200, send<Page<Job>>('GET', `/v1/process/jobs${query}`)),
    endedTask: async (id) => asSent<Task>((await (await lathe.tasks.get(id)).done(toItsEnd())).now),
    endedJob: async (id) => asSent<Job>((await (await lathe.jobs.get(id)).done(toItsEnd())).now),
    remove: (target) => expectStatus(200, send<undefined>('DELETE', target)),
    async download(link) {
      if (link === undefined) throw new Error('there is no link')
      const { status, bytes } = await client.withKey(undefined).send('GET', link)
      if (status !== 200) throw new Error(`the link answered ${status}: ${bytes}`)
      return bytes
    },
    withKey: (other) => createClient({ ...options, key: other }),
  }
  return client
}

/** The SDK's types are generated from the contract's types; they differ only in being read-only. */
export function asSent<T>(sent: unknown): T {
  return sent as T
}

/** Scenarios also send jobs that no type allows. */
function asOrder(tasks: Readonly<Record<string, unknown>>, tag?: string): NewJob<string> {
  return { tasks: tasks as NewJob<string>['tasks'], ...(tag !== undefined && { tag }) }
}
