import { createHash } from 'node:crypto'
import type { Job, Task } from '@lathe/contract'
import type { Answered, Entry, SeenTask, Sent } from '../history.ts'

/** A request to record and send. */
export interface Request extends Pick<Sent, 'op' | 'marker' | 'key' | 'expects' | 'subject'> {
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly form?: FormData
  /** Seconds for which the response may wait for the end of the work. */
  readonly waitS?: number
}

/** A response, and the job or task in it. */
export interface Reply {
  readonly answer: Answered
  readonly body: Partial<Job & Task>
}

/**
 * A client that records everything it sends and receives. Each request may go to another api. It sends plain requests,
 * because each line of the history is one exact request: the SDK always sends an Idempotency-Key, while some creations
 * must have none; it reads a task before it cancels or deletes it; and it hides refusals of used forms.
 */
export interface RecordingClient {
  /** Undefined if it is unknown whether the request took effect. */
  send(request: Request): Promise<Reply | undefined>
  /** Downloads the file of a task; returns whether that worked. */
  download(task: Task): Promise<boolean>
}

export interface ClientParts {
  readonly key: string
  /** The URL of the api to use now. */
  url(): string
  note(entry: Entry): void
}

const answerMs = 8_000
let calls = 0

/** Creates a client for one API key. */
export function createRecordingClient({ key, url, note }: ClientParts): RecordingClient {
  async function exchange({ method, path, json, form, waitS = 0, key: idempotencyKey }: Request) {
    const target = new URL(path, url())
    // Links and forms contain the URL of the api that made them, which may be down: any api serves them.
    const at = `${url()}${target.pathname}${target.search}`
    const response = await fetch(at, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(waitS > 0 && { prefer: `wait=${waitS}` }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: form }),
      signal: AbortSignal.timeout(answerMs + waitS * 1000),
    })
    const text = await response.text()
    return { response, body: (text === '' ? {} : JSON.parse(text)) as Partial<Job & Task> & { errorCode?: string } }
  }

  return {
    async send(request) {
      const call = ++calls
      const { op, marker, key: idempotencyKey, expects, subject } = request
      const about = { marker, key: idempotencyKey, expects, subject }
      note({ kind: 'sent', at: performance.now(), call, op, ...defined(about) })
      try {
        const { response, body } = await exchange(request)
        const replayed = response.headers.get('idempotency-replayed') === 'true'
        const { id, status: state, errorCode } = body
        const shown = response.status < 300 ? { tasks: tasksIn(body) } : {}
        const answer: Answered = {
          kind: 'answered',
          at: performance.now(),
          call,
          status: response.status,
          ...defined({ id, state, errorCode }),
          ...shown,
          ...(replayed && { replayed }),
        }
        note(answer)
        return { answer, body }
      } catch (error) {
        note({ kind: 'unknown', at: performance.now(), call, why: whyOf(error) })
        return undefined
      }
    },
    async download({ id, result }) {
      try {
        const { pathname, search } = new URL(result.files?.[0]?.url ?? result.url ?? '')
        const response = await fetch(`${url()}${pathname}${search}`, { signal: AbortSignal.timeout(answerMs) })
        if (response.status !== 200) return false
        const bytes = Buffer.from(await response.arrayBuffer())
        note({ kind: 'downloaded', task: id, sha256: sha256(bytes) })
        return true
      } catch {
        return false
      }
    },
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function tasksIn(body: Partial<Job & Task>): readonly SeenTask[] {
  const tasks = body.tasks ?? (body.operation === undefined ? [] : [body as Task])
  return tasks.map(({ id, name, status }) => ({ id, name, status }))
}

function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> }
}

function whyOf(error: unknown): string {
  const { message, cause } = error as Error
  const code = (cause as NodeJS.ErrnoException | undefined)?.code
  return code ? `${message}: ${code}` : message
}
