import { type Failure, failure, isFailure } from '@lathe/domain'
import { type Outbound, type OutboundResponse, TransferFailed } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import { chooseFilename } from '../filename.ts'
import type { ImportContext, Importer } from '../importer.ts'
import { findDispositionName } from './content-disposition.ts'

/** Fetches the file a URL names. */
export function createUrlImporter({ outbound }: { readonly outbound: Pick<Outbound, 'get'> }): Importer {
  return {
    operation: 'import/url',

    async run({ url: given, filename }, context) {
      const url = revealText(given)
      if (url === undefined) return failure('url_forbidden')
      const response = await outbound.get(url, { signal: context.signal, maxSize: context.maxSize })
      if (isFailure(response)) return response
      return transfer(response, chooseName(response, filename), context)
    },
  }
}

/** The caller's name, else the source's, else the end of the address where the file was found. */
function chooseName({ headers, url }: OutboundResponse, given: unknown): string {
  return chooseFilename(given, findDispositionName(headers['content-disposition']), lastSegment(url))
}

function lastSegment(url: string): string | undefined {
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

async function transfer(
  response: OutboundResponse,
  name: string,
  context: ImportContext,
): Promise<Failure | undefined> {
  const { body } = response
  const broken: { cause?: Failure } = {}
  try {
    await context.save(name, watched(body, broken, createMeter(response, context)))
    return undefined
  } catch (error) {
    // Seen at the source, because storage may wrap what it reads from us into an error of its own.
    if (broken.cause) return broken.cause
    throw error
  } finally {
    body.destroy()
  }
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  broken: { cause?: Failure },
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      yield chunk
      count(chunk.length)
    }
  } catch (error) {
    if (error instanceof TransferFailed) broken.cause = error.failure
    throw error
  }
}

/** Tells the progress in whole percents. Without a length, or with one of encoded bytes, there is nothing to tell. */
function createMeter({ headers }: OutboundResponse, context: ImportContext): (bytes: number) => void {
  const total = headers['content-encoding'] === undefined ? Number(headers['content-length']) : Number.NaN
  let received = 0
  let reported = 0
  return (bytes) => {
    received += bytes
    const percent = Math.min(Math.floor((received / total) * 100), 100)
    if (!(percent > reported)) return
    reported = percent
    context.progress(percent / 100)
  }
}
