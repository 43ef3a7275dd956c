import type { Duplex } from 'node:stream'
import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { Client, OpenMode, SFTPWrapper, Stats } from 'ssh2'
import { toStatusFailure } from './to-failure.ts'

/** A file opened on the server. */
export type Handle = Buffer

/** A connection that is signed in. All calls throw only TransferFailed. */
export interface SftpSession extends Disposable {
  /** Opens the SFTP subsystem. Must be called first. */
  start(): Promise<void>
  stat(path: string): Promise<Stats>
  fstat(handle: Handle): Promise<Stats>
  open(path: string, mode: OpenMode): Promise<Handle>
  close(handle: Handle): Promise<void>
  /** Up to `length` bytes; none at the end of the file. Has no timeout: callers wrap it in `within`. */
  read(handle: Handle, at: number, length: number): Promise<Buffer>
  /** Has no timeout either. */
  write(handle: Handle, piece: Buffer, at: number): Promise<void>
  /** Replaces a file atomically, if the server supports it. */
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  makeFolder(path: string): Promise<void>
  /** Waits for the response. Closes the connection if the server is silent for too long. */
  within<T>(answer: Promise<T>): Promise<T>
}

interface SessionParts {
  readonly client: Client
  readonly socket: Duplex
  readonly idleMs: number
  readonly signal: AbortSignal
}

type Answer<T> = (error: Error | null | undefined, value: T) => void

/** Speaks SFTP over a client that is about to sign in. */
export function createSession({ client, socket, idleMs, signal }: SessionParts): SftpSession {
  const pending = new Set<(error: Error) => void>()
  let ended: TransferFailed | undefined
  let sftp: SFTPWrapper | undefined

  function end(detail: string): void {
    ended ??= new TransferFailed(failure('source_unreachable', { detail }))
    for (const reject of pending) reject(ended)
    pending.clear()
    socket.destroy()
  }
  const stop = () => end('aborted')
  signal.addEventListener('abort', stop, { once: true })
  // Errors come before the close event, and without a listener they would end the process.
  client.on('error', () => {})
  client.on('close', () => end('closed'))

  /** Settles once, even if the connection is lost first. */
  function call<T>(ask: (answer: Answer<T>) => unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      if (ended) return reject(ended)
      pending.add(reject)
      const answer: Answer<T> = (error, value) => {
        pending.delete(reject)
        if (error) reject(toStatusFailure(error))
        else resolve(value)
      }
      try {
        ask(answer)
      } catch (error) {
        answer(error as Error, undefined as never)
      }
    })
  }

  function files(): SFTPWrapper {
    if (!sftp) throw new Error('the session was not started')
    return sftp
  }

  async function within<T>(answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => end('idle'), idleMs)
    try {
      return await answer
    } finally {
      clearTimeout(timer)
    }
  }

  const ask = <T>(start: (answer: Answer<T>) => unknown) => within(call<T>(start))

  return {
    within,
    async start() {
      sftp = await ask<SFTPWrapper>((answer) => client.sftp(answer))
    },
    stat: (path) => ask((answer) => files().stat(path, answer)),
    fstat: (handle) => ask((answer) => files().fstat(handle, answer)),
    open: (path, mode) => ask((answer) => files().open(path, mode, answer)),
    close: (handle) => ask((answer) => files().close(handle, (error) => answer(error, undefined))),
    read(handle, at, length) {
      const piece = Buffer.allocUnsafe(length)
      return call((answer) =>
        files().read(handle, piece, 0, length, at, (error, count) => {
          if (isEndOfFile(error)) answer(null, piece.subarray(0, 0))
          else answer(error, piece.subarray(0, count))
        }),
      )
    },
    write: (handle, piece, at) =>
      call((answer) => files().write(handle, piece, 0, piece.length, at, (error) => answer(error, undefined))),
    rename: (from, to) => ask((answer) => rename(files(), { from, to }, answer)),
    remove: (path) => ask((answer) => files().unlink(path, (error) => answer(error, undefined))),
    makeFolder: (path) => ask((answer) => files().mkdir(path, (error) => answer(error, undefined))),
    [Symbol.dispose]() {
      signal.removeEventListener('abort', stop)
      client.end()
      end('ended')
    },
  }
}

function isEndOfFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 1
}

interface Move {
  readonly from: string
  readonly to: string
}

function rename(sftp: SFTPWrapper, { from, to }: Move, answer: Answer<void>): void {
  const done = (error: Error | null | undefined) => answer(error, undefined)
  try {
    sftp.ext_openssh_rename(from, to, done)
  } catch {
    // The server does not support posix-rename, and plain rename does not replace: remove the existing file first.
    sftp.rename(from, to, (error) => {
      if (!error) return done(error)
      sftp.unlink(to, () => sftp.rename(from, to, done))
    })
  }
}
