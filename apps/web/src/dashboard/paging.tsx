import type { Page } from '@lathe/contract'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../lib/formats.ts'
import { Button } from '../ui/button.tsx'

interface PagingProps {
  readonly page: Page<unknown>
  /** Shows the page at a cursor. */
  onGo(to: { readonly after?: string; readonly before?: string }): void
}

/** The position of a page in its list, with links to the previous and next page; empty for a single page. */
export function Paging({ page, onGo }: PagingProps) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const { docs, totalDocs, pagingCounter, prevCursor, nextCursor } = page
  if (prevCursor === null && nextCursor === null) return null
  const [first, last] = [pagingCounter, pagingCounter + docs.length - 1].map(formats.count)
  return (
    <nav aria-label={t('paging.label')} className="flex items-center justify-between gap-3 border-t px-5 py-3">
      <p className="num text-[13px] text-muted">
        {t('paging.place', { first, last, total: formats.count(totalDocs) })}
      </p>
      <div className="flex gap-2">
        <Button size="small" disabled={prevCursor === null} onClick={() => prevCursor && onGo({ before: prevCursor })}>
          <ChevronLeft size={16} aria-hidden className="rtl:-scale-x-100" />
          {t('paging.newer')}
        </Button>
        <Button size="small" disabled={nextCursor === null} onClick={() => nextCursor && onGo({ after: nextCursor })}>
          {t('paging.older')}
          <ChevronRight size={16} aria-hidden className="rtl:-scale-x-100" />
        </Button>
      </div>
    </nav>
  )
}
