import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.ts'
import { useBlobAddress } from '../../lib/blob-address.ts'
import { useFormats } from '../../lib/formats.ts'
import { getOwn } from '../../previews/get-own.ts'
import { usePreview } from '../../previews/use-preview.ts'
import { countPages } from './count-pages.ts'
import { Frame } from './frame.tsx'
import { extensionOf } from './kind-of-file.ts'
import { loadFile } from './load-file.ts'
import { NoView } from './no-view.tsx'
import { Pager } from './pager.tsx'
import type { ViewProps } from './result-dialog.tsx'

/** A file as the service draws it, page by page where the number of pages is known. */
export function PagesView({ taskId, at, file }: ViewProps) {
  const { t } = useTranslation('tools')
  const formats = useFormats()
  const [page, setPage] = useState(1)
  const known = usePageCount(file.path, file.name, file.size)
  const count = known ?? 1
  const preview = usePreview({ taskId, file: at, name: file.name, get: getOwn, page })
  const address = useBlobAddress(preview ?? undefined)
  if (preview === null && page === 1) return <NoView file={file} />
  const text = t('result.page', { at: formats.count(page), all: formats.count(count) })
  return (
    <>
      {preview === null ? (
        <NoView file={file} />
      ) : (
        <Frame isLoading={!address}>
          {address && (
            <img
              src={address}
              alt={count > 1 ? `${file.name}: ${text}` : file.name}
              className="h-[56dvh] w-full object-contain"
            />
          )}
        </Frame>
      )}
      {known === null && <p className="text-[13px] text-muted">{t('result.firstPage')}</p>}
      {count > 1 && (
        <div className="flex justify-center">
          <Pager
            text={text}
            previous={t('result.previousPage')}
            next={t('result.nextPage')}
            at={page - 1}
            count={count}
            onChange={(next) => setPage(next + 1)}
          />
        </div>
      )}
    </>
  )
}

const counted: ReadonlySet<string> = new Set('pdf docx docm pptx pptm ppsx odt ott'.split(' '))
const uncounted: ReadonlySet<string> = new Set(
  'doc ppt odp xlsx xlsm xlsb xls ods rtf epub fb2 mobi xps djvu ps tiff'.split(' '),
)
// The page searches all of it at once, which must not be felt.
const mostBytes = 20_000_000

/** The number of pages of a document; null if it has pages but does not say how many, undefined while it is read. */
function usePageCount(path: string, name: string, size: number): number | null | undefined {
  const ext = extensionOf(name)
  const isCounted = counted.has(ext) && size <= mostBytes
  const { data, isError } = useQuery(
    {
      queryKey: ['page-count', path],
      queryFn: async ({ signal }) => (await countPages(await loadFile(path, signal))) ?? null,
      enabled: isCounted,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queries,
  )
  if (isCounted) return isError ? null : data
  return counted.has(ext) || uncounted.has(ext) ? null : 1
}
