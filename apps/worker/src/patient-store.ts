import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { ObjectMissing, type ObjectStore, type OpenOptions, SizeExceeded } from '@lathe/storage'

/** The storage was unavailable for longer than we wait. No file is to blame. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault'
}

/** The part of the storage that a worker needs. */
export type WorkStore = Pick<ObjectStore, 'open' | 'put' | 'putFile' | 'copy' | 'delete'>

/** How long to wait for unavailable storage before a task is requeued. */
export interface Patience {
  /** Before an engine has worked: little is lost. */
  readonly beforeMs: number
  /** After an engine has worked: the engine is free for others, and its work would be lost. */
  readonly afterMs: number
}

const usual: Patience = { beforeMs: 60_000, afterMs: 600_000 }
const firstPauseMs = 250
const longestPauseMs = 2_000

/**
 * The storage for tasks: failed operations are retried for a while, and a download resumes where it broke off. If they
 * still fail, they throw a `StorageFault`. Only a put cannot be retried, because its source can be read only once.
 */
export function createPatientStore(store: WorkStore, { beforeMs, afterMs }: Patience = usual): WorkStore {
  async function open(key: string, options: OpenOptions): Promise<Readable | undefined> {
    const body = await retryFor(() => store.open(key, options), { signal: options.signal, patienceMs: beforeMs })
    return body && Readable.from(readOn(body, key, options), { objectMode: false })
  }

  /** The bytes of a body. If it breaks off, the rest comes from another request. */
  async function* readOn(body: Readable, key: string, options: OpenOptions): AsyncGenerator<Buffer> {
    const { start = 0, end = Number.MAX_SAFE_INTEGER } = options.range ?? {}
    let at = start
    for (let current: Readable | undefined = body; ; ) {
      try {
        for await (const chunk of current as AsyncIterable<Buffer>) {
          at += chunk.length
          yield chunk
        }
        return
      } catch (error) {
        if (!isFault(error, options.signal)) throw error
        current = await retryFor(() => store.open(key, { ...options, range: { start: at, end } }), {
          signal: options.signal,
          patienceMs: beforeMs,
        }).catch(endsHere)
        if (!current) return
      }
    }
  }

  return {
    open,
    // Objects that are not deleted expire.
    delete: (keys) => store.delete(keys),
    copy: (from, to, options) =>
      retryFor(() => store.copy(from, to, options), { signal: options.signal, patienceMs: beforeMs }),
    putFile: (key, file, options) =>
      retryFor(() => store.putFile(key, file, options), { signal: options.signal, patienceMs: afterMs }),
    async put(key, source, options) {
      const watched = watchSource(source)
      try {
        return await store.put(key, watched.source, options)
      } catch (error) {
        if (watched.hasFailed() || !isFault(error, options.signal)) throw error
        throw new StorageFault('the storage did not take a file', { cause: error })
      }
    },
  }
}

/** Whether the storage failed, and not the request or the caller. */
function isFault(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return false
  return !(error instanceof ObjectMissing || error instanceof SizeExceeded || error instanceof RangeError)
}

// All bytes had arrived when the body broke off.
function endsHere(error: unknown): undefined {
  if (!(error instanceof RangeError)) throw error
}

async function retryFor<T>(
  work: () => Promise<T>,
  { signal, patienceMs }: { signal: AbortSignal; patienceMs: number },
): Promise<T> {
  const limit = performance.now() + patienceMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isFault(error, signal)) throw error
      if (performance.now() > limit) throw new StorageFault('the storage is away', { cause: error })
      await pause(pauseMs, undefined, { signal })
    }
  }
}

/** Records whether the source itself failed: that is not the storage's fault. */
function watchSource(source: AsyncIterable<Uint8Array>) {
  let hasFailed = false
  async function* watch(): AsyncGenerator<Uint8Array> {
    try {
      yield* source
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  return { source: watch(), hasFailed: () => hasFailed }
}
