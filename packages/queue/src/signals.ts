import type { ObjectId } from '@lathe/domain'
import type { Logger } from '@lathe/runtime'
import type { QueueConfig } from './config.ts'
import { connectPatient } from './redis.ts'

/** The names of the pub/sub channels. */
export function channels(prefix: string) {
  return { cancel: `${prefix}:cancel`, ended: `${prefix}:ended`, progress: `${prefix}:progress` } as const
}

export interface SignalHandlers {
  /** A task was canceled or deleted: whoever runs it stops. */
  onCancel?(taskId: ObjectId): void
  /** A task or job came to its end: whoever waits for it looks again. */
  onEnded?(id: ObjectId): void
}

export interface SignalListener extends AsyncDisposable {
  /** Settles when the subscription stands for the first time. */
  readonly ready: Promise<void>
}

/** Hears signals by pub/sub. They may be lost: every listener must also find out by itself, only later. */
export function listenSignals(config: QueueConfig, handlers: SignalHandlers, { log }: { log: Logger }): SignalListener {
  const redis = connectPatient(config.url, log)
  const { cancel, ended } = channels(config.prefix)
  redis.on('message', (channel: string, message: string) => {
    const handle = channel === cancel ? handlers.onCancel : handlers.onEnded
    if (handle) for (const id of message.split(',')) handle(id)
  })
  const wanted = [...(handlers.onCancel ? [cancel] : []), ...(handlers.onEnded ? [ended] : [])]
  const ready = redis.subscribe(...wanted).then(() => undefined)
  // Closed before Redis ever came: nobody is left to be told.
  ready.catch(() => undefined)
  return {
    ready,
    async [Symbol.asyncDispose]() {
      redis.disconnect()
    },
  }
}
