import { randomUUID } from 'node:crypto'
import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import { cleanUpSignal } from '@lathe/runtime'
import { createBreaks } from '../breaks.ts'
import type { ExportFile } from '../connector.ts'
import { makeFolders } from './make-folders.ts'
import { folderOf, nameOf } from './path.ts'
import { requirePlainFile } from './remote-file.ts'
import type { Handle, SftpSession } from './session.ts'
import { isMissing } from './to-failure.ts'
import { writePieces } from './write-pieces.ts'

interface TargetParts {
  connect(signal: AbortSignal): Promise<SftpSession>
  readonly signal: AbortSignal
  /** Called with the number of bytes that have arrived. */
  reached(bytes: number): void
}

/** The progress of an upload. */
interface Upload {
  readonly file: ExportFile
  readonly path: string
  readonly temporary: string
  reached: number
  isBegun: boolean
  isComplete: boolean
}

/**
 * Writes to a temporary file next to the target and renames it at the end, so that the target is never incomplete. If
 * the connection breaks, the upload resumes after the last byte that arrived. A failed upload leaves nothing behind.
 */
export async function putRemoteFile(parts: TargetParts, file: ExportFile, path: string): Promise<void> {
  const temporary = `${folderOf(path)}.lathe-${randomUUID()}.part`
  const upload: Upload = { file, path, temporary, reached: 0, isBegun: false, isComplete: false }
  const breaks = createBreaks(parts.signal)
  try {
    for (;;) {
      try {
        using session = await parts.connect(parts.signal)
        return await goOn(session, upload, parts)
      } catch (error) {
        await breaks.survive(error, upload.reached)
      }
    }
  } catch (error) {
    if (upload.isBegun) await cleanUp(parts, temporary)
    throw error
  }
}

async function goOn(session: SftpSession, upload: Upload, parts: TargetParts): Promise<void> {
  const { file, path, temporary } = upload
  // The connection may have been lost between the rename and its confirmation.
  if (upload.isComplete && !(await isThere(session, temporary))) return
  const handle = upload.reached > 0 ? await session.open(temporary, 'r+') : await begin(session, upload)
  if (upload.reached < file.size) {
    const from = upload.reached
    const confirm = (reached: number) => {
      upload.reached = reached
      parts.reached(reached)
    }
    await writePieces(session, handle, await file.open(from), { from, confirm })
  }
  await session.close(handle)
  const { size } = await session.stat(temporary)
  if (size !== undefined && size !== file.size) throw unlike(`${size} bytes of ${file.size}`)
  upload.isComplete = true
  await session.rename(temporary, path)
}

async function begin(session: SftpSession, upload: Upload): Promise<Handle> {
  const { path, temporary } = upload
  if (nameOf(path) === '') throw refused('The path is a folder. Name a file.')
  try {
    requirePlainFile(await session.stat(path))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  upload.isBegun = true
  try {
    return await session.open(temporary, 'w')
  } catch (error) {
    if (!isMissing(error)) throw error
    await makeFolders(session, folderOf(path))
    return session.open(temporary, 'w')
  }
}

async function isThere(session: SftpSession, path: string): Promise<boolean> {
  try {
    await session.stat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Uses a new connection with its own time limit: the task's may have ended. */
async function cleanUp(parts: TargetParts, temporary: string): Promise<void> {
  try {
    using session = await parts.connect(cleanUpSignal())
    await session.remove(temporary)
  } catch {
    // Nothing was written, or the server cannot be reached. The original error is the one to report.
  }
}

function refused(text: string): TransferFailed {
  return new TransferFailed(failure('source_refused', { text }))
}

function unlike(detail: string): TransferFailed {
  const text = 'The server stored another number of bytes than was sent. Check its free space.'
  return new TransferFailed(failure('source_refused', { text, detail }))
}
