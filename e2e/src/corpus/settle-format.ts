import { constants, inflateRawSync } from 'node:zlib'
import { detectFormat, type FileAccess, lookCloser, resolveFormat, wantsCloserLook } from '@lathe/formats'

/** The format that the service detects from content and name; `unknown` if neither tells. */
export async function settleFormat(content: Buffer, filename: string): Promise<string> {
  const access: FileAccess = {
    size: content.length,
    readAt: async (offset, length) => content.subarray(offset, offset + length),
    inflate,
  }
  const detected = wantsCloserLook(content) ? await lookCloser(content, access) : detectFormat(content)
  const { ext, recognised } = resolveFormat({ detected, filename })
  return ext ?? recognised ?? 'unknown'
}

function inflate(packed: Uint8Array, maxOutputLength: number): Uint8Array | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}
