import { TaskFailedError } from './errors.ts'
import { filesOf, type ResultFile, withAllFiles } from './files.ts'
import { type DoneOptions, events, untilEnded } from './follow.ts'
import type { ApiEvent, CreateJobRequest, Task } from './generated/types.ts'
import { listAll } from './pages.ts'
import { path } from './paths.ts'
import { type Answer, toAnswer } from './response.ts'
import type { Source } from './source.ts'
import type { Call, CallOptions, Transport } from './transport.ts'
import { formOf, sendToForm, type UploadOptions } from './upload.ts'

type TaskBody = CreateJobRequest['tasks'][string]
/** The fields of a task of an operation. */
export type BodyOf<O extends TaskBody['operation']> = Omit<Extract<TaskBody, { readonly operation: O }>, 'operation'>

/** A task outside a job. */
export class TaskHandle {
  readonly id: string
  readonly #transport: Transport
  #task: Task

  constructor(transport: Transport, task: Task) {
    this.#transport = transport
    this.#task = task
    this.id = task.id
  }

  /** The last known state of the task. */
  get now(): Task {
    return this.#task
  }

  /** Uploads the file of an import/upload task. */
  async upload(source: Source, options?: UploadOptions): Promise<void> {
    await sendToForm(this.#transport, formOf(this.#task), source, options)
  }

  /** All events from the beginning to the end, each once and in order, across lost connections. */
  events(signal?: AbortSignal): AsyncGenerator<ApiEvent> {
    return events(this.#transport, this.#path, signal)
  }

  /** Waits until the task has ended. Throws `TaskFailedError` if it failed. */
  async done({ evenIfFailed = false, ...options }: DoneOptions = {}): Promise<this> {
    const ended = await untilEnded<Task>(this.#transport, this.#path, options)
    this.#task = await withAllFiles(this.#transport, ended, options.signal ? { signal: options.signal } : {})
    if (this.#task.status !== 'completed' && !evenIfFailed) throw new TaskFailedError(this.#task)
    return this
  }

  /** All its files, however many they are. */
  files(): readonly ResultFile[] {
    return filesOf(this.#transport, this.#task)
  }

  async cancel(options: CallOptions = {}): Promise<void> {
    await this.#transport.send(`${this.#path}/cancel`, { method: 'POST', ...options })
  }

  async delete(options: CallOptions = {}): Promise<void> {
    await this.#transport.send(this.#path, { method: 'DELETE', ...options })
  }

  get #path(): string {
    return path`/v1/process/tasks/${this.id}`
  }
}

/** `lathe.tasks` */
export class Tasks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a task outside a job: `await lathe.tasks.create('import/url', { url })`. */
  create<const O extends TaskBody['operation']>(
    operation: O,
    body: BodyOf<O>,
    options: CallOptions = {},
  ): Answer<TaskHandle> {
    // Such as `convert` or `import/url`.
    const [kind = '', ...service] = operation.split('/')
    const where = () => path`/v1/process/${kind}` + (service.length > 0 ? path`/${service.join('/')}` : '')
    const call = { method: 'POST', json: body, patient: true, ...options } as const
    return this.#ask(where, call)
  }

  get(id: string, options: CallOptions = {}): Answer<TaskHandle> {
    return this.#ask(() => path`/v1/process/tasks/${id}`, options)
  }

  #ask(path: () => string, call: Call): Answer<TaskHandle> {
    return toAnswer(
      async (onResponse) =>
        new TaskHandle(
          this.#transport,
          await withAllFiles(this.#transport, await this.#transport.json<Task>(path(), { ...call, onResponse })),
        ),
    )
  }

  /** All tasks, newest first. */
  list(
    filters: { readonly status?: Task['status']; readonly operation?: Task['operation'] } = {},
    options?: CallOptions,
  ): AsyncGenerator<Task> {
    return listAll<Task>(this.#transport, '/v1/process/tasks', filters, options)
  }
}
