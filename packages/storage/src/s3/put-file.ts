import { Readable } from 'node:stream'
import { createDigest } from '../digest.ts'
import { type LocalFile, readPieces, readWhole } from '../local-file.ts'
import type { StoredObject } from '../object-store.ts'
import type { S3Connection } from './connection.ts'
import { putObject, putSigned } from './put-object.ts'

// A file up to `heldBytes` is held in memory; a larger one is read twice. One above `requestBytes` is sent in parts, so
// that a fault costs only one part.
const heldBytes = 4 * 2 ** 20
const requestBytes = 64 * 2 ** 20

/**
 * Puts a file in one request, signed with its hash. With parts it would be hashed twice, part by part and as a whole,
 * and hashing is most of the work.
 */
export async function putFile(
  connection: S3Connection,
  key: string,
  file: LocalFile,
  { signal }: { signal: AbortSignal },
): Promise<StoredObject> {
  signal.throwIfAborted()
  if (file.size > requestBytes) return putObject(connection, key, readPieces(file), { signal })
  const digest = createDigest()
  if (file.size <= heldBytes) {
    const body = await readWhole(file)
    digest.update(body)
    return putSigned(connection, { key, body, facts: digest.finish(), signal })
  }
  for await (const piece of readPieces(file)) {
    signal.throwIfAborted()
    digest.update(piece)
  }
  const body = () => Readable.from(readPieces(file))
  return putSigned(connection, { key, body, facts: digest.finish(), signal })
}
