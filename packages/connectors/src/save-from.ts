import type { Failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { ImportContext } from './connector.ts'

interface Incoming {
  readonly filename: string
  /** Ends with TransferFailed on an error of the source. */
  readonly content: AsyncIterable<Uint8Array>
  /** In bytes, if the source reports it. */
  readonly size?: number | undefined
}

/**
 * Saves one file and reports progress. Errors of the source are returned as a Failure, errors of storage are thrown.
 */
export async function saveFrom(
  context: Pick<ImportContext, 'save' | 'progress'>,
  { filename, content, size }: Incoming,
): Promise<Failure | undefined> {
  const broken: { cause?: Failure } = {}
  try {
    await context.save(filename, watched(content, broken, createMeter(size, context.progress)))
    return undefined
  } catch (error) {
    // Recorded at the source, because storage may wrap the error in its own.
    if (broken.cause) return broken.cause
    throw error
  }
}

async function* watched(
  content: AsyncIterable<Uint8Array>,
  broken: { cause?: Failure },
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of content) {
      yield chunk
      count(chunk.length)
    }
  } catch (error) {
    if (error instanceof TransferFailed) broken.cause = error.failure
    throw error
  }
}

/** Reports progress in whole percents of a size, if it is known. */
export function createMeter(size: number | undefined, tell: (share: number) => void): (bytes: number) => void {
  let moved = 0
  let reported = 0
  return (bytes) => {
    moved += bytes
    const percent = Math.min(Math.floor((moved / (size ?? Number.NaN)) * 100), 100)
    if (!(percent > reported)) return
    reported = percent
    tell(percent / 100)
  }
}
