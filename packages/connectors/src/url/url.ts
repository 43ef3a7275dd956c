import { isFailure } from '@lathe/domain'
import type { Outbound, OutboundResponse } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import { type Connector, defineImporter, type Importer } from '../connector.ts'
import { chooseFilename } from '../filename.ts'
import { saveFrom } from '../save-from.ts'
import { findDispositionName } from './content-disposition.ts'

/** Files at public URLs. */
export const url: Connector = ({ outbound }) => ({ importers: [createUrlImporter({ outbound: outbound.for('url') })] })

/** Fetches the file at a URL. */
export function createUrlImporter({ outbound }: { readonly outbound: Pick<Outbound, 'get'> }): Importer {
  return defineImporter({
    operation: 'import/url',

    async run({ url: given, filename }, context) {
      const response = await outbound.get(revealText(given), { signal: context.signal, maxSize: context.maxSize })
      if (isFailure(response)) return response
      try {
        const name = chooseName(response, filename)
        return await saveFrom(context, { filename: name, content: response.body, size: sizeOf(response) })
      } finally {
        response.body.destroy()
      }
    },
  })
}

/** The name that the caller gave, else the source's, else the end of the final URL. */
function chooseName({ headers, url }: OutboundResponse, given: string | undefined): string {
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

/** Without a length, or with the length of encoded bytes, there is no progress to report. */
function sizeOf({ headers }: OutboundResponse): number | undefined {
  const length = headers['content-encoding'] === undefined ? Number(headers['content-length']) : Number.NaN
  return Number.isNaN(length) ? undefined : length
}
