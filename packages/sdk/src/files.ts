import { ConnectionError, LatheError } from './errors.ts'
import type { Job, Task, TaskFile, TaskFilePage } from './generated/types.ts'
import { path } from './paths.ts'
import { readWithin } from './request.ts'
import { type CallOptions, createRetries, longestWaitMs, pause, type Transport } from './transport.ts'

const silenceMs = 60_000
const tries = 5

interface Opened {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  release(): void
}

/** Something to download, such as a ZIP of files. It is downloaded only when one of its methods reads it. */
export class Download {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly url: string
  readonly #transport: Transport

  constructor(transport: Transport, name: string, size: number, url: string) {
    this.#transport = transport
    this.name = toName(name)
    this.size = size
    this.url = url
  }

  /** The bytes of the file. A download that is interrupted is resumed. */
  async stream(options: { readonly signal?: AbortSignal } = {}): Promise<ReadableStream<Uint8Array>> {
    const open = async (from: number) => {
      const headers = { accept: '*/*', ...(from > 0 && { range: `bytes=${from}-` }) }
      const call = { withoutKey: true, headers, isStream: true, patient: true, ...options }
      const { response, release } = await this.#transport.open(this.url, call)
      const reader = (response.body ?? new Blob([]).stream()).getReader() as Opened['reader']
      // Otherwise the response would start again at the first byte, in the middle of the file.
      if (from > 0 && response.status !== 206) {
        release()
        await reader.cancel().catch(() => undefined)
        throw new LatheError('The download was interrupted and cannot be resumed.')
      }
      return { reader, release }
    }
    return resumed(this.#transport, await open(0), this.size, open, options.signal)
  }

  async blob(options?: { readonly signal?: AbortSignal }): Promise<Blob> {
    return new Response(await this.stream(options)).blob()
  }

  async bytes(options?: { readonly signal?: AbortSignal }): Promise<Uint8Array> {
    return new Uint8Array(await new Response(await this.stream(options)).arrayBuffer())
  }

  /** Writes it to a file (Node.js, Bun): to this path, or under its own name. Returns the path. */
  async save(path: string = this.name, options?: { readonly signal?: AbortSignal }): Promise<string> {
    const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
    const fs = process?.getBuiltinModule?.('node:fs/promises') as
      | { writeFile(path: string, data: AsyncIterable<Uint8Array>): Promise<void> }
      | undefined
    if (!fs) throw new LatheError('Files can be written in Node.js and Bun only. Use blob() or stream().')
    await fs.writeFile(path, readAll(await this.stream(options)))
    return path
  }
}

/** A file that the service has made. It is downloaded only when one of its methods reads it. */
export class ResultFile extends Download {
  readonly sha256: string
  readonly expiresAt: string | undefined

  constructor(transport: Transport, { filename = 'file', size, sha256, url, expiresAt }: TaskFile) {
    if (url === undefined) throw new LatheError(`The file ${filename} has expired.`)
    super(transport, filename, size, url)
    this.sha256 = sha256
    this.expiresAt = expiresAt
  }
}

/** A stream of `size` bytes that is reopened at the same position when the connection is lost. */
function resumed(
  transport: Transport,
  first: Opened,
  size: number,
  open: (from: number) => Promise<Opened>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let opened = first
  let at = 0
  const limits = { times: tries, waitMs: longestWaitMs, outageMs: transport.outageMs }
  let pauseFor = createRetries(limits)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        try {
          const { done, value } = await readWithin(opened.reader, silenceMs)
          if (done && at < size) throw new ConnectionError(`The download ended after ${at} of ${size} bytes.`)
          if (done) {
            opened.release()
            return controller.close()
          }
          at += value.length
          pauseFor = createRetries(limits)
          return controller.enqueue(value)
        } catch (error) {
          opened.release()
          await opened.reader.cancel().catch(() => undefined)
          signal?.throwIfAborted()
          const lost =
            error instanceof ConnectionError ? error : new ConnectionError('The download was lost.', { cause: error })
          await pause(pauseFor(lost), signal)
          // An outage is waited for there.
          opened = await open(at)
        }
      }
    },
    cancel(reason) {
      opened.release()
      return opened.reader.cancel(reason)
    },
  })
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** The files of a task. */
export function filesOf(transport: Transport, { result }: Task): readonly ResultFile[] {
  return (result.files ?? []).map((file) => new ResultFile(transport, file))
}

const filesPerPage = 1000

/** A task with all its files: an answer shows only the first of many. */
export async function withAllFiles<T extends Pick<Task, 'id' | 'result'>>(
  transport: Transport,
  task: T,
  options: CallOptions = {},
): Promise<T> {
  const { files = [], filesTotal = 0 } = task.result
  if (filesTotal <= files.length) return task
  const all: TaskFile[] = []
  for (let page: number | null = 1; page !== null; ) {
    const query = { per_page: filesPerPage, page }
    const found: TaskFilePage = await transport.json(path`/v1/process/tasks/${task.id}/files`, {
      query,
      patient: true,
      ...options,
    })
    all.push(...found.docs)
    page = found.nextPage
  }
  const { filesTotal: _, ...result } = task.result
  return { ...task, result: { ...result, files: all } }
}

/** A job whose tasks have all their files. */
export async function withAllFilesOfJob(transport: Transport, job: Job, options: CallOptions = {}): Promise<Job> {
  const tasks: Task[] = []
  for (const task of job.tasks ?? []) tasks.push(await withAllFiles(transport, task, options))
  return { ...job, ...(job.tasks && { tasks }) }
}

/** A ZIP whose size only its response tells. */
export async function openZip(
  transport: Transport,
  name: string,
  url: string,
  signal?: AbortSignal,
): Promise<Download> {
  const headers = { accept: '*/*' }
  const call = { method: 'HEAD', withoutKey: true, patient: true, headers, ...(signal && { signal }) } as const
  const response = await transport.send(url, call)
  return new Download(transport, name, Number(response.headers.get('content-length')), url)
}

/** The last part of a name, because it becomes a local path. */
function toName(filename: string): string {
  const last = filename.split(/[\\/]/).at(-1) ?? ''
  return ['', '.', '..'].includes(last) ? 'file' : last
}
