import { JobFailedError, RequestError, TaskFailedError } from './errors.ts'
import { type Download, filesOf, openZip, type ResultFile, withAllFilesOfJob } from './files.ts'
import { type DoneOptions, events, untilEnded } from './follow.ts'
import type { ApiEvent, CreateJobRequest, Job, Task } from './generated/types.ts'
import { listAll } from './pages.ts'
import { path } from './paths.ts'
import { type Answer, toAnswer } from './response.ts'
import type { Source } from './source.ts'
import type { Call, CallOptions, Transport } from './transport.ts'
import { formOf, sendToForm, type UploadOptions } from './upload.ts'

type TaskBody = CreateJobRequest['tasks'][string]

/** A task whose `input` is `Input`; tasks without inputs have none. */
type WithInput<Body, Input> = Body extends { readonly input: unknown }
  ? Omit<Body, 'input'> & { readonly input: Input }
  : Body & { readonly input?: never }

/** A job: its tasks by name, which refer to each other by these names, and to other tasks by id. */
export interface NewJob<Name extends string> {
  readonly tasks: { readonly [name in Name]: WithInput<TaskBody, string | readonly string[]> }
  readonly tag?: string
  readonly webhook_url?: string
}

/** The tasks of a job with their inputs, checked one by one: with one type for all, an id would allow every string. */
type CheckedTasks<Inputs> = {
  readonly [name in keyof Inputs]: WithInput<TaskBody, NoInfer<InputOf<Inputs[name], keyof Inputs>>> & {
    readonly input?: Inputs[name]
  }
}
type InputOf<Given, Name> = Given extends readonly unknown[]
  ? { readonly [n in keyof Given]: NameOrId<Given[n], Name> }
  : NameOrId<Given, Name>
// An id comes from an answer, so that its type is `string`. A literal that names no task is misspelled.
type NameOrId<Given, Name> = string extends Given ? string : Name

/** A job that has been created. */
export class JobHandle<Name extends string = string> {
  readonly id: string
  readonly #transport: Transport
  #job: Job

  constructor(transport: Transport, job: Job) {
    this.#transport = transport
    this.#job = job
    this.id = job.id
  }

  /** The last known state of the job. */
  get now(): Job {
    return this.#job
  }

  /** The last known state of a task of the job. */
  task(name: Name): Task {
    const task = this.#job.tasks?.find((one) => one.name === name)
    if (!task) throw new TypeError(`The job has no task ${name}.`)
    return task
  }

  /** Uploads the file of an import/upload task. */
  async upload(name: Name, source: Source, options?: UploadOptions): Promise<void> {
    await sendToForm(this.#transport, formOf(this.task(name)), source, options)
  }

  /** All events from the beginning to the end, each once and in order, across lost connections. */
  events(signal?: AbortSignal): AsyncGenerator<ApiEvent> {
    return events(this.#transport, this.#path, signal)
  }

  /** Waits until the job has ended. Throws `TaskFailedError` if a task failed, `JobFailedError` if one was deleted. */
  async done({ evenIfFailed = false, ...options }: DoneOptions = {}): Promise<this> {
    const ended = await untilEnded<Job>(this.#transport, this.#path, options)
    this.#job = await withAllFilesOfJob(this.#transport, ended, options.signal ? { signal: options.signal } : {})
    const failed = this.#job.tasks?.find(({ status }) => status === 'failed' || status === 'canceled')
    if (failed && !evenIfFailed) throw new TaskFailedError(failed, this.#job)
    if (this.#job.status === 'failed' && !evenIfFailed) throw new JobFailedError(this.#job)
    return this
  }

  /** All files of a task, or of all tasks whose output no other task uses. */
  files(name?: Name): readonly ResultFile[] {
    const wanted = name === undefined ? this.#results() : [this.task(name)]
    return wanted.flatMap((task) => filesOf(this.#transport, task))
  }

  /** All files of the job, or of a task, as one ZIP: `await (await job.zip()).save('results.zip')`. */
  async zip(name?: Name, options: CallOptions = {}): Promise<Download> {
    const wanted = name === undefined ? this.#results() : [this.task(name)]
    // The files of an export are those of its inputs.
    const ids = wanted.flatMap(({ id, operation, dependsOn }) => (operation.startsWith('export/') ? dependsOn : [id]))
    const json = {
      input: [...new Set(ids)],
      archive_multiple_files: true,
      filename: `${name ?? this.#job.tag ?? this.id}.zip`,
    }
    const call = { method: 'POST', json, patient: true, ...options } as const
    const made = await this.#transport.json<Task>('/v1/process/export/url', call)
    const withSignal = options.signal ? { signal: options.signal } : {}
    const task = await untilEnded<Task>(this.#transport, path`/v1/process/tasks/${made.id}`, withSignal)
    if (task.status !== 'completed') throw new TaskFailedError(task)
    return openZip(this.#transport, json.filename, task.result.url ?? '', options.signal)
  }

  #results(): readonly Task[] {
    const tasks = this.#job.tasks ?? []
    const used = new Set(tasks.flatMap(({ dependsOn }) => dependsOn))
    return tasks.filter(({ id }) => !used.has(id))
  }

  /** Cancels every task that has not ended. */
  async cancel(options: CallOptions = {}): Promise<void> {
    const { tasks = [] } = await this.#transport.json<Job>(this.#path, options)
    const open = tasks.filter(({ status }) => status === 'created' || status === 'processing')
    const call = { method: 'POST', ...options } as const
    // Tasks that have ended meanwhile, or were canceled together with another one, need not be canceled.
    await Promise.all(
      open.map(({ id }) => this.#transport.send(path`/v1/process/tasks/${id}/cancel`, call).catch(unlessEnded)),
    )
  }

  async delete(options: CallOptions = {}): Promise<void> {
    await this.#transport.send(this.#path, { method: 'DELETE', ...options })
  }

  get #path(): string {
    return path`/v1/process/jobs/${this.id}`
  }
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof RequestError && error.status < 500 && error.status !== 429)) throw error
}

/** `lathe.jobs` */
export class Jobs {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a job. The names of its tasks are type-checked where they are used. */
  create<const Inputs extends object>(
    job: Omit<NewJob<string>, 'tasks'> & { readonly tasks: CheckedTasks<Inputs> },
    options: CallOptions = {},
  ): Answer<JobHandle<keyof Inputs & string>> {
    return this.#ask(() => '/v1/process/jobs', { method: 'POST', json: job, patient: true, ...options })
  }

  get(id: string, options: CallOptions = {}): Answer<JobHandle> {
    return this.#ask(() => path`/v1/process/jobs/${id}`, options)
  }

  /** All jobs, newest first. */
  list(filters: { readonly status?: Job['status']; readonly tag?: string } = {}, options?: CallOptions) {
    return listAll<Job>(this.#transport, '/v1/process/jobs', filters, options)
  }

  runAgain(id: string, changes: object = {}, options: CallOptions = {}): Answer<JobHandle> {
    const call = { method: 'POST', json: changes, patient: true, ...options } as const
    return this.#ask(() => path`/v1/process/jobs/${id}/run-again`, call)
  }

  #ask<Name extends string>(path: () => string, call: Call): Answer<JobHandle<Name>> {
    return toAnswer(
      async (onResponse) =>
        new JobHandle(
          this.#transport,
          await withAllFilesOfJob(this.#transport, await this.#transport.json<Job>(path(), { ...call, onResponse })),
        ),
    )
  }
}
