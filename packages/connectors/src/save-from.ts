import type { Failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { ImportContext } from './connector.ts'

interface Incoming {
  readonly filename: string
  /** Ends with TransferFailed when the source does something wrong. */
  readonly content: AsyncIterable<Uint8Array>
  /** In bytes, where the source tells it. */
  readonly size?: number | undefined
}

/** Saves one file, telling the progress. What the source does wrong is a Failure; what storage does wrong is thrown. */
export async function saveFrom(
  context: Pick<ImportContext, 'save' | 'progress'>,
  { filename, content, size }: Incoming,
): Promise<Failure | undefined> {
  const broken: { cause?: Failure } = {}
  try {
    await context.save(filename, watched(content, broken, createMeter(size, context.progress)))
    return undefined
  } catch (error) {
    // Seen at the source, because storage may wrap what it reads from us into an error of its own.
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

/** Tells the progress in whole percents of a size, when there is one. */
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
