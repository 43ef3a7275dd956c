import type { ObjectId, Progress } from '@lathe/domain'
import type { Logger } from '@lathe/runtime'
import type { QueueConfig } from './config.ts'
import { connectPatient, keepSubscribed } from './redis.ts'

/** The names of the pub/sub channels. */
export function channels(prefix: string) {
  return {
    cancel: `${prefix}:cancel`,
    events: `${prefix}:events`,
    progress: `${prefix}:progress`,
  } as const
}

/** A job, or a task outside any job, has events up to `seq`. */
export interface EventHint {
  readonly subjectId: ObjectId
  readonly ownerId: ObjectId
  readonly seq: number
}

/** The progress of a task, with its owner, so that a listener need not look it up. */
export interface ProgressMessage extends Progress {
  readonly task: ObjectId
  readonly job: ObjectId | null
  readonly owner: ObjectId
}

export interface SignalHandlers {
  /** A task was canceled or deleted: the worker that runs it stops. */
  onCancel?(taskId: ObjectId): void
  /** A task or job ended: requests that wait for it look again. */
  onEnded?(id: ObjectId): void
  /** There are new events: listeners read the log. */
  onEvents?(hints: readonly EventHint[]): void
  onProgress?(progress: ProgressMessage): void
  /** Redis is connected, for the first time or again: signals sent before were missed. */
  onBack?(): void
}

export interface SignalListener extends AsyncDisposable {
  /** Settles with the first subscription. */
  readonly ready: Promise<void>
}

/** Listens to signals over pub/sub. They may be lost: every listener must also find out by itself, only later. */
export function listenSignals(config: QueueConfig, handlers: SignalHandlers, { log }: { log: Logger }): SignalListener {
  const redis = connectPatient(config.url, log)
  const heard = toReaders(config.prefix, handlers)
  redis.on('message', (channel: string, message: string) => heard.get(channel)?.(message))
  const ready = keepSubscribed(redis, [...heard.keys()], () => handlers.onBack?.())
  return {
    ready,
    async [Symbol.asyncDispose]() {
      redis.disconnect()
    },
  }
}

/** The handler for the messages of each channel in use. */
function toReaders(prefix: string, handlers: SignalHandlers): ReadonlyMap<string, (message: string) => void> {
  const { cancel, events, progress } = channels(prefix)
  const { onCancel, onEnded, onEvents, onProgress } = handlers
  const hear = ({ hints, ended }: Changes) => {
    if (hints.length > 0) onEvents?.(hints)
    for (const id of ended) onEnded?.(id)
  }
  return new Map([
    ...(onCancel
      ? [[cancel, (message: string) => message.split(',').forEach((id) => void onCancel(id))] as const]
      : []),
    ...(onEnded || onEvents ? [[events, (message: string) => hear(parseChanges(message))] as const] : []),
    ...(onProgress ? [[progress, (message: string) => onProgress(JSON.parse(message))] as const] : []),
  ])
}

/** What a transaction changed, for listeners and waiting requests. */
interface Changes {
  readonly hints: readonly EventHint[]
  readonly ended: readonly ObjectId[]
}

/** The message format: `subject:owner:seq,... ended,...`. */
export function formatChanges({ hints, ended }: Changes): string {
  const reported = hints.map(({ subjectId, ownerId, seq }) => `${subjectId}:${ownerId}:${seq}`)
  return `${reported.join()} ${ended.join()}`
}

function parseChanges(message: string): Changes {
  const [hints = '', ended = ''] = message.split(' ')
  return { hints: listOf(hints).map(parseHint), ended: listOf(ended) }
}

function listOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(',')
}

function parseHint(text: string): EventHint {
  const [subjectId = '', ownerId = '', seq = ''] = text.split(':')
  return { subjectId, ownerId, seq: Number(seq) }
}
