import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Failure, failure, isFailure } from '@lathe/domain'
import { packedDrawingLimits } from '@lathe/formats'

export interface Unpacking {
  /** The gzip file. */
  readonly path: string
  readonly target: FileHandle
  readonly signal: AbortSignal
  readonly limits?: { readonly [K in keyof typeof packedDrawingLimits]: number }
}

/** Decompresses a gzip file chunk by chunk, so that memory use stays small, and returns the number of bytes written. */
export async function unpackDrawing({
  path,
  target,
  signal,
  limits = packedDrawingLimits,
}: Unpacking): Promise<number | Failure> {
  await using packed = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  const { size } = await packed.stat()
  const allowed = Math.min(limits.bytes, Math.max(limits.ratioAfterBytes, size * limits.ratio))
  let length = 0
  const write = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > allowed) throw tooLarge(allowed)
      await target.write(chunk)
    }
  }
  try {
    await pipeline(packed.createReadStream({ autoClose: false }), createGunzip({ chunkSize: 2 ** 18 }), write, {
      signal,
    })
    return length
  } catch (error) {
    if (isFailure(error)) return error
    if (isZlibError(error)) return failure('input_damaged', { detail: `gzip: ${error.code}` })
    throw error
  }
}

function tooLarge(allowed: number): Failure {
  const text = `The packed drawing unpacks to more than ${allowed} bytes, which is beyond a limit of this service.`
  return failure('limit_exceeded', { text })
}

function isZlibError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
}
