import { LatheError } from './errors.ts'
import type { ResultFile } from './files.ts'
import { type DoneOptions, events } from './follow.ts'
import type { Account, ApiEvent, FormatList, OptionSet, Preset, Usage } from './generated/types.ts'
import { Jobs, type NewJob } from './jobs.ts'
import type { FormatOf, From, Operation, OptionsOf, To } from './option-types.ts'
import { listAll } from './pages.ts'
import { path } from './paths.ts'
import { type Answer, toAnswer } from './response.ts'
import type { Input } from './source.ts'
import { type BodyOf, Tasks } from './tasks.ts'
import { type Call, type CallOptions, createTransport, type LatheOptions, type Transport } from './transport.ts'
import { mayUploadLater, type UploadOptions } from './upload.ts'

/** The settings of a conversion in addition to its options. */
export interface RunOptions extends UploadOptions, Pick<DoneOptions, 'onEvent'> {
  /** The name of the result. */
  readonly filename?: string
  readonly tag?: string
  /** The id of a preset; options in the call override it. */
  readonly preset?: string
  /** The format of the file, if its name and content do not show it. */
  readonly inputFormat?: string
}

// The caller waits for the cancellation before the error is thrown.
const cancelMs = 5_000

type Values = Readonly<Record<string, string | number | boolean | undefined>>

/** A Lathe service. `new Lathe()` reads `LATHE_URL` and `LATHE_KEY`. */
export class Lathe {
  readonly jobs: Jobs
  readonly tasks: Tasks
  readonly #transport: Transport

  constructor(options: LatheOptions = {}) {
    this.#transport = createTransport(options)
    this.jobs = new Jobs(this.#transport)
    this.tasks = new Tasks(this.#transport)
  }

  /** Converts a file: `await lathe.convert('letter.docx', 'pdf')`. The options depend on the two formats. */
  convert<const S extends Input, const T extends To<'convert', FormatOf<S, 'convert'>>>(
    source: S,
    to: T,
    options?: OptionsOf<'convert', FormatOf<S, 'convert'>, T>,
    run: RunOptions = {},
  ): Promise<ResultFile> {
    return this.convertAll(source, to, options, run).then(single)
  }

  /** The same for conversions that may return several files, such as the pages of a document. */
  convertAll<const S extends Input, const T extends To<'convert', FormatOf<S, 'convert'>>>(
    source: S,
    to: T,
    options?: OptionsOf<'convert', FormatOf<S, 'convert'>, T>,
    run: RunOptions = {},
  ): Promise<readonly ResultFile[]> {
    return this.#process([source], run, { operation: 'convert', output_format: to, ...withOptions(options) })
  }

  /** Makes a file smaller without changing its format. */
  compress<const S extends Input>(
    source: S,
    options?: OptionsOf<'compress', FormatOf<S, 'compress'>, FormatOf<S, 'compress'>>,
    run: RunOptions = {},
  ): Promise<ResultFile> {
    return this.#process([source], run, { operation: 'compress', ...withOptions(options) }).then(single)
  }

  /** Cuts an area out of an image, a video, an animation or the pages of a PDF. */
  crop<const S extends Input>(
    source: S,
    options: OptionsOf<'crop', FormatOf<S, 'crop'>, FormatOf<S, 'crop'>>,
    run: RunOptions = {},
  ): Promise<ResultFile> {
    return this.#process([source], run, { operation: 'crop', ...withOptions(options) }).then(single)
  }

  /** Keeps a part of a recording, an animation or a PDF. */
  trim<const S extends Input>(
    source: S,
    options: OptionsOf<'trim', FormatOf<S, 'trim'>, FormatOf<S, 'trim'>>,
    run: RunOptions = {},
  ): Promise<ResultFile> {
    return this.#process([source], run, { operation: 'trim', ...withOptions(options) }).then(single)
  }

  /** Merges several files into one, in this order. */
  merge<const T extends To<'merge'>>(
    sources: readonly Input[],
    to: T,
    options?: OptionsOf<'merge', From<'merge'>, T>,
    run: Omit<RunOptions, 'name'> = {},
  ): Promise<ResultFile> {
    return this.#process(sources, run, { operation: 'merge', output_format: to, ...withOptions(options) }).then(single)
  }

  /**
   * Runs any operation: `await lathe.run('split', 'book.pdf', { pages_per_file: 10 })`. Several files are passed as an
   * array. Files with a role are passed by its name:
   * `await lathe.run('watermark', 'photo.jpg', {}, { files: { overlay: 'logo.png' } })`.
   */
  run<
    const O extends Operation,
    const S extends Input | readonly Input[],
    const T extends To<O, FormatOf<S, O>> = To<O, FormatOf<S, O>>,
  >(
    operation: O,
    source: S,
    options?: OptionsOf<O, FormatOf<S, O>, T>,
    run: RunOptions & { readonly to?: T; readonly files?: Readonly<Record<string, Input>> } = {},
  ): Promise<readonly ResultFile[]> {
    const { to, ...rest } = run
    const sources: readonly Input[] = isList(source) ? source : [source]
    return this.#process(sources, rest, { operation, ...(to && { output_format: to }), ...withOptions(options) })
  }

  /** Captures a live web page, as a PDF by default: `await lathe.capture(url, { output_format: 'png' })`. */
  async capture(
    url: string,
    fields: Omit<BodyOf<'capture'>, 'url'> = {},
    run: Pick<DoneOptions, 'signal' | 'onEvent'> = {},
  ): Promise<ResultFile> {
    const task = await this.tasks.create('capture', { ...fields, url }, run.signal ? { signal: run.signal } : {})
    const done = await orCancel(task, run.signal, () => task.done(run))
    return single(done.files())
  }

  /** All formats, or those of an operation that a format can be converted to (`from`) or from (`to`). */
  formats(
    query: { readonly operation?: Operation; readonly from?: string; readonly to?: string } = {},
    options: CallOptions = {},
  ): Answer<FormatList> {
    const { operation, from, to } = query
    const where = () => (operation ? path`/v1/query/formats/${operation}` : '/v1/query/formats')
    return this.#ask(where, { query: { input_format: from, output_format: to }, ...options })
  }

  /** The options of an operation on two formats, with their defaults and conditions. */
  options<O extends Operation>(
    operation: O,
    pair: { readonly from: From<O>; readonly to?: To<O> },
    options: CallOptions = {},
  ): Answer<OptionSet> {
    const query = { input_format: pair.from, output_format: pair.to }
    return this.#ask(() => path`/v1/query/options/${operation}`, { query, ...options })
  }

  /** The plan, its usage, and limits. */
  account(options: CallOptions = {}): Answer<Account> {
    return this.#ask(() => '/v1/account', options)
  }

  /** All events of jobs and tasks of the account, until the signal is aborted. */
  events(signal?: AbortSignal): AsyncGenerator<ApiEvent> {
    return events(this.#transport, '/v1/process', signal)
  }

  /** Usage by day, operation, formats and engine. */
  usage(options: CallOptions = {}): Answer<Usage> {
    return this.#ask(() => '/v1/account/usage', options)
  }

  /** Presets: named options. */
  presets(options?: CallOptions): AsyncGenerator<Preset> {
    return listAll<Preset>(this.#transport, '/v1/presets', {}, options)
  }

  #ask<T>(path: () => string, call: Call): Answer<T> {
    return toAnswer((onResponse) => this.#transport.json<T>(path(), { ...call, onResponse }))
  }

  /** Uploads files or has them fetched, runs one operation on them, and returns the results. Cancels the job if it is interrupted. */
  async #process(
    sources: readonly Input[],
    run: RunOptions & { readonly files?: Readonly<Record<string, Input>> },
    task: object,
  ): Promise<readonly ResultFile[]> {
    const { filename, tag, preset, inputFormat, signal, onEvent, files = {}, ...upload } = run
    const names = sources.map((_, n) => `file-${n + 1}`)
    const all = [...sources.map((source, n) => [`file-${n + 1}`, source] as const), ...Object.entries(files)]
    const result = {
      ...task,
      ...Object.fromEntries(Object.keys(files).map((role) => [role, role])),
      input: names,
      ...(filename && { filename }),
      ...(preset && { preset }),
      ...(inputFormat && { input_format: inputFormat }),
    }
    const imports = all.map(([name, source]) => [name, toImport(source, upload.name)])
    const tasks = { ...Object.fromEntries(imports), result }
    const withSignal = signal ? { signal } : {}
    const order = { tasks, ...(tag !== undefined && { tag }) } as unknown as NewJob<string>
    const job = await this.jobs.create(order, withSignal)
    for (const [name, source] of all) {
      if (source instanceof URL) continue
      const send = () => job.upload(name, source, { ...upload, ...withSignal })
      // Without its files the job would wait until it expires.
      await orCancel(job, signal, send, (error) => !mayUploadLater(error))
    }
    const done = await orCancel(job, signal, () => job.done({ ...withSignal, ...(onEvent && { onEvent }) }))
    return done.files('result')
  }
}

/**
 * Does something with a job or a task, and cancels it if the caller aborts, or if it cannot go on. An error of the
 * connection or the service is not a reason: the work goes on there.
 */
async function orCancel<T>(
  work: { cancel(options: CallOptions): Promise<void> },
  signal: AbortSignal | undefined,
  act: () => Promise<T>,
  // By default, those of the caller's own functions.
  isFinal = (error: unknown) => !(error instanceof LatheError),
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (signal?.aborted || isFinal(error)) await work.cancel({ timeoutMs: cancelMs }).catch(() => undefined)
    throw error
  }
}

function toImport(source: Input, filename: string | undefined): object {
  if (!(source instanceof URL)) return { operation: 'import/upload' }
  return { operation: 'import/url', url: source.href, ...(filename && { filename }) }
}

// The type of Array.isArray does not cover readonly arrays.
function isList(source: Input | readonly Input[]): source is readonly Input[] {
  return Array.isArray(source)
}

function single([file, ...others]: readonly ResultFile[]): ResultFile {
  if (file && others.length === 0) return file
  throw new LatheError(`The result has ${file ? others.length + 1 : 0} files, not one. Use convertAll() or run().`)
}

function withOptions(options: object | undefined): { options?: Values } {
  return options && Object.keys(options).length > 0 ? { options: options as Values } : {}
}
