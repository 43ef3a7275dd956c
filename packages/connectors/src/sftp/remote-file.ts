import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { Stats } from 'ssh2'
import { createBreaks } from '../breaks.ts'
import { readPieces } from './read-pieces.ts'
import type { Handle, SftpSession } from './session.ts'

/** A file that is being read from a server. */
export interface RemoteFile extends Disposable {
  /** Undefined if the server does not report it. */
  readonly size: number | undefined
  /** Its bytes, over as many connections as needed. */
  content(): AsyncGenerator<Uint8Array>
}

interface RemoteParts {
  connect(): Promise<SftpSession>
  readonly path: string
  readonly signal: AbortSignal
}

/** Opens a file for reading. Throws TransferFailed if it is missing, unreadable or not a plain file. */
export async function openRemoteFile(parts: RemoteParts): Promise<RemoteFile> {
  let reading = await openReading(parts)
  const { facts } = reading

  async function openAgain(): Promise<void> {
    reading.session[Symbol.dispose]()
    reading = await openReading(parts)
    requireSame(facts, reading.facts)
  }

  async function* content(): AsyncGenerator<Uint8Array> {
    const breaks = createBreaks(parts.signal)
    let reached = 0
    for (let isOpen = true; ; ) {
      try {
        if (!isOpen) await openAgain()
        const pieces = readPieces(reading.session, reading.handle, { from: reached, to: facts.size ?? Infinity })
        for await (const piece of pieces) {
          reached += piece.length
          yield piece
        }
        requireSame(facts, await reading.session.fstat(reading.handle))
        if (facts.size !== undefined && reached !== facts.size) throw changed()
        return
      } catch (error) {
        await breaks.survive(error, reached)
        isOpen = false
      }
    }
  }

  return { size: facts.size, content, [Symbol.dispose]: () => reading.session[Symbol.dispose]() }
}

interface Facts {
  readonly size: number | undefined
  readonly mtime: number | undefined
}

interface Reading {
  readonly session: SftpSession
  readonly handle: Handle
  readonly facts: Facts
}

async function openReading({ connect, path }: RemoteParts): Promise<Reading> {
  const session = await connect()
  try {
    // Checked before it is opened: opening a pipe would block until there is a writer.
    requirePlainFile(await session.stat(path))
    const handle = await session.open(path, 'r')
    const stats = await session.fstat(handle)
    requirePlainFile(stats)
    return { session, handle, facts: { size: stats.size, mtime: stats.mtime } }
  } catch (error) {
    session[Symbol.dispose]()
    throw error
  }
}

/** Throws for folders, devices, pipes and sockets. If the server does not report the type, the file is accepted. */
export function requirePlainFile(stats: Stats): void {
  if (stats.mode === undefined || stats.isFile()) return
  const what = stats.isDirectory() ? 'a folder' : 'not a plain file'
  throw new TransferFailed(failure('source_refused', { text: `The path is ${what}. Name a file.` }))
}

function requireSame(before: Facts, now: Facts): void {
  if (before.size !== now.size || before.mtime !== now.mtime) throw changed()
}

function changed(): TransferFailed {
  const text = 'The file changed while it was read. Try again when no other program writes to it.'
  return new TransferFailed(failure('source_refused', { text }))
}
