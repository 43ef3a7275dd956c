import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { addUploadParts, type ResumableUpload, type UploadPart } from '@lathe/database'
import { Problem } from '@lathe/domain'
import { objectKey } from '@lathe/storage'
import type { Services } from '../../../services.ts'
import type { PieceReader } from './piece-reader.ts'
import type { Checksum } from './tus-headers.ts'

type Parts = Pick<Services, 'database' | 'store'>

// The most that is lost when the api crashes. Each piece is one object and one commit.
const pieceBytes = 16 * 2 ** 20
// The store has its own time limits, and received bytes are kept when the sender disconnects.
const never = new AbortController().signal

/** Stores the body piece by piece and records each piece once it is stored. Returns the new offset of the upload. */
export async function receiveParts(upload: ResumableUpload, reader: PieceReader, parts: Parts): Promise<number> {
  let { received } = upload
  while (received < upload.length && (await reader.hasMore())) {
    const part = await storePiece(upload, received, reader, parts)
    await notePieces(upload, [part], parts)
    received += part.size
  }
  return received
}

/** The same for bytes with a checksum: all of them are kept, or none. */
export async function receiveChecked(
  upload: ResumableUpload,
  reader: PieceReader,
  checksum: Checksum,
  parts: Parts,
): Promise<number> {
  const hash = createHash(checksum.algorithm)
  const hashed: Pick<PieceReader, 'piece'> = {
    async *piece(most) {
      for await (const chunk of reader.piece(most)) {
        hash.update(chunk)
        yield chunk
      }
    },
  }
  const stored: UploadPart[] = []
  let { received } = upload
  try {
    while (received < upload.length && (await reader.hasMore())) {
      const part = await storePiece(upload, received, hashed, parts)
      stored.push(part)
      received += part.size
    }
    if (reader.fault !== undefined) throw reader.fault
    if (!isSame(hash.digest(), checksum.digest)) throw new Problem('checksum_mismatch')
  } catch (error) {
    await parts.store.delete(stored.map(({ key }) => key))
    throw error
  }
  if (stored.length > 0) await notePieces(upload, stored, parts)
  return received
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

async function storePiece(
  { taskId, length }: ResumableUpload,
  start: number,
  reader: Pick<PieceReader, 'piece'>,
  { store }: Parts,
): Promise<UploadPart> {
  const key = objectKey({ taskId, attempt: `r${randomBytes(8).toString('hex')}`, n: 0 })
  const { size } = await store.put(key, reader.piece(Math.min(pieceBytes, length - start)), { signal: never })
  return { start, size, key }
}

/** If this throws anything but a Problem, it may have been committed, so the bytes stay until their prefix expires. */
async function notePieces(
  upload: ResumableUpload,
  pieces: readonly UploadPart[],
  { database, store }: Parts,
): Promise<void> {
  if (await addUploadParts(database.pool, upload, pieces)) return
  await store.delete(pieces.map(({ key }) => key))
  throw new Problem('upload_moved')
}
