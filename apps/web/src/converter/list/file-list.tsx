import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { directionOf } from '../../app/languages.ts'
import { queries } from '../../app/queries.ts'
import { useStore } from '../../lib/store.ts'
import { converter } from '../state.ts'
import { ActionBar } from './action-bar.tsx'
import { FileRow } from './file-row.tsx'
import { KindHead } from './kind-head.tsx'
import { toRows } from './rows.ts'

export { readyList } from './words.ts'

/** All files by kind, with their actions. Only visible rows are rendered. */
export function FileList() {
  const { t, i18n } = useTranslation('list')
  const items = useStore(converter, (state) => state.items)
  const rows = useMemo(() => toRows(items.values()), [items])
  const list = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  // Content above it may grow: a notice, a form.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0))
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (n) => (rows[n]?.type === 'head' ? 89 : 69),
    getItemKey: (n) => rows[n]?.key ?? n,
    // Few, because rendering new rows is what blocks the page longest.
    overscan: 3,
    scrollMargin: top,
  })
  const fileCount = rows.filter(({ type }) => type === 'file').length
  return (
    <QueryClientProvider client={queries}>
      <CSPProvider disableStyleElements>
        <DirectionProvider direction={directionOf(i18n.language)}>
          <section
            ref={list}
            aria-label={t('list.label')}
            className="relative"
            style={{ height: virtual.getTotalSize() }}
          >
            {virtual.getVirtualItems().map(({ key, index, start }) => {
              const row = rows[index]
              if (!row) return null
              return (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start - top}px)` }}
                >
                  {row.type === 'head' ? (
                    <KindHead kind={row.kind} ids={row.ids} />
                  ) : (
                    <FileRow id={row.id} isLast={row.isLast} place={row.place} count={fileCount} />
                  )}
                </div>
              )
            })}
          </section>
          <ActionBar />
        </DirectionProvider>
      </CSPProvider>
    </QueryClientProvider>
  )
}
