import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.ts'
import { useFormats } from '../../lib/formats.ts'
import { Frame } from './frame.tsx'
import { loadFile } from './load-file.ts'
import { NoView } from './no-view.tsx'
import { readStart, textBytes } from './read-start.ts'
import type { ViewProps } from './result-dialog.tsx'

/** A text, or its start. */
export function TextView({ file }: ViewProps) {
  const { t } = useTranslation('tools')
  const formats = useFormats()
  const { data, isError } = useQuery(
    {
      queryKey: ['result-text', file.path],
      // An empty file has no first byte to ask for.
      queryFn: async ({ signal }) =>
        file.size === 0 ? '' : ((await readStart(await loadFile(file.path, signal, textBytes))) ?? null),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    },
    queries,
  )
  if (isError || data === null) return <NoView file={file} isUnreachable={isError} />
  if (data === undefined) return <Frame isLoading />
  return (
    <>
      <pre
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[58dvh] min-h-24 overflow-auto rounded-card border bg-sunken px-4 py-3 font-mono text-[13px] break-words whitespace-pre-wrap"
      >
        {data}
      </pre>
      {file.size > textBytes && (
        <p className="num text-[13px] text-muted">{t('result.start', { size: formats.bytes(textBytes) })}</p>
      )}
    </>
  )
}
