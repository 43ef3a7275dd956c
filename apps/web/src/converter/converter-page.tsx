import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { DropZone } from './drop-zone.tsx'
import { startConverter } from './start.ts'
import { converter } from './state.ts'

// The empty page is small; the list is loaded with the first files.
const loadList = () => import('./list/file-list.tsx')
const FileList = lazy(async () => {
  const { FileList: list, readyList } = await loadList()
  await readyList()
  return { default: list }
})

/** `/`: the converter. Without files it shows the drop zone; with files, the list. */
export function ConverterPage() {
  const { t } = useTranslation()
  const hasItems = useStore(converter, ({ items }) => items.size > 0)
  const hasList = useStore(converter, ({ items, removed }) => items.size > 0 || removed !== undefined)
  useEffect(startConverter, [])
  return (
    <div className={`mx-auto max-w-[960px] px-4 pb-40 sm:px-6 sm:pt-10 ${hasItems ? 'pt-4' : 'pt-8'}`}>
      <title>{t('convert.documentTitle')}</title>
      <h1 className="text-[26px] leading-tight font-semibold tracking-tight sm:text-[28px]">{t('convert.title')}</h1>
      {/* With files on a phone, they need the space. */}
      <p className={`mt-1.5 text-[15px] text-pretty text-muted ${hasItems ? 'max-sm:hidden' : ''}`}>
        {t('convert.subtitle')}{' '}
        <Link to="/tools" className="font-medium whitespace-nowrap text-accent hover:underline">
          {t('convert.more')}
        </Link>
      </p>
      <DropZone isSmall={hasItems} onIntent={loadList} />
      <ConnectionNotice />
      {hasList && (
        <Suspense fallback={<ListSkeleton />}>
          <FileList />
        </Suspense>
      )}
    </div>
  )
}

function ListSkeleton() {
  return (
    <div className="mt-7 overflow-hidden rounded-card border bg-surface shadow-card" aria-hidden="true">
      {[0, 1, 2].map((n) => (
        <div key={n} className="flex items-center gap-3.5 border-t px-4 py-3 first:border-t-0">
          <div className="skeleton size-11" />
          <div className="grid flex-1 gap-2">
            <div className="skeleton h-3.5 w-2/5" />
            <div className="skeleton h-3 w-1/5" />
          </div>
        </div>
      ))}
    </div>
  )
}
