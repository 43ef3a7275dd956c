import { useQuery } from '@tanstack/react-query'
import { Fragment, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { useStore } from '../../lib/store.ts'
import { mayConvert, sessionStore } from '../../session/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { isExpired } from '../expiry.ts'
import { type Item, isOpen } from '../item.ts'
import { lookUp } from '../look-up.ts'
import { targetsQuery, usualTimeQuery } from '../queries.ts'
import { ResultButton } from '../results/result-button.tsx'
import { changeItem, targetOf, useChoices, useItem } from '../state.ts'
import { useExpiry } from '../use-expiry.ts'
import { RowActions } from './row-actions.tsx'
import { RowExpired } from './row-expired.tsx'
import { RowStatus } from './row-status.tsx'
import { RowTrouble } from './row-trouble.tsx'
import { RowWarnings, warningsOf } from './row-warnings.tsx'
import { TargetPicker } from './target-picker.tsx'
import { Thumb } from './thumb.tsx'

interface FileRowProps {
  readonly id: string
  readonly isLast: boolean
  /** Its position and the number of rows, because only visible rows are rendered. */
  readonly place: number
  readonly count: number
}

/** One file: its name, target, progress and actions. */
export const FileRow = memo(function FileRow({ id, isLast, place, count }: FileRowProps) {
  const item = useItem(id)
  const now = useExpiry(item ? [item] : [])
  if (!item) return null
  const isGone = isExpired(item, now)
  const warnings = isGone ? [] : warningsOf(item)
  return (
    <article
      aria-label={item.name}
      aria-posinset={place}
      aria-setsize={count}
      className={classes(
        'grid grid-cols-[44px_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-1.5 border border-b-0 bg-surface px-3 py-3 sm:min-h-[69px] sm:px-4 sm:grid-cols-[44px_minmax(0,1fr)_minmax(150px,auto)_auto]',
        isLast && 'rounded-b-card !border-b shadow-card',
      )}
    >
      {item.stage === 'done' && !isGone ? (
        // For the pointer only: the actions have the same button.
        <ResultButton item={item} tabIndex={-1} aria-hidden className="rounded-control">
          <Thumb item={item} />
        </ResultButton>
      ) : (
        <Thumb item={item} />
      )}
      <div className="min-w-0 max-sm:col-span-2">
        <p className="truncate font-medium" title={item.folder ? `${item.folder}/${item.name}` : item.name}>
          <bdi>{item.name}</bdi>
        </p>
        <Facts item={item} />
      </div>
      {/* On a phone, this is a line below the name. */}
      <div className="col-span-full flex flex-wrap items-center justify-between gap-x-2 sm:contents">
        <div className="flex min-w-0 justify-end">
          {item.stage === 'staged' ? <Target item={item} /> : <RowStatus item={item} isExpired={isGone} />}
        </div>
        <div className="ms-auto flex justify-end max-sm:-me-3">
          <RowActions item={item} isExpired={isGone} />
        </div>
      </div>
      {item.stage === 'failed' && (
        <div className="col-span-full sm:col-start-2">
          <RowTrouble item={item} />
        </div>
      )}
      {isGone && (
        <div className="col-span-full sm:col-start-2">
          <RowExpired item={item} />
        </div>
      )}
      {warnings.length > 0 && (
        <div className="col-span-full sm:col-start-2">
          <RowWarnings warnings={warnings} />
        </div>
      )}
    </article>
  )
})

function Facts({ item }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const source = (item.source || item.name.split('.').at(-1) || '').toUpperCase().slice(0, 8)
  const to = item.convertedTo?.toUpperCase()
  const target = targetOf(item, useChoices())
  const isStaged = item.stage === 'staged'
  const { data } = useQuery({
    ...usualTimeQuery(item.source, target),
    enabled: isStaged && item.source !== '',
  })
  const seconds = isStaged ? data : undefined
  const isUnderWay = isOpen(item) || item.stage === 'done'
  const facts = [
    isUnderWay && to ? `${source} → ${to}` : source,
    item.size > 0 ? formats.bytes(item.size) : item.url ? t('row.fromAddress') : formats.bytes(0),
    item.parts && t('row.merged', { count: item.parts }),
    item.edits?.crop && t('row.cropped'),
    item.edits?.trim && t('row.trimmed'),
    item.folder,
    seconds === undefined ? '' : t('row.usual', { time: formats.duration(seconds) }),
  ].filter((fact) => typeof fact === 'string' && fact !== '')
  return (
    <p className="num truncate text-[13px] text-muted">
      {facts.map((fact, n) => (
        <Fragment key={fact}>
          {n > 0 && ' · '}
          <bdi>{fact}</bdi>
        </Fragment>
      ))}
    </p>
  )
}

/** What a URL leads to is not known yet. */
function LookUp({ item }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const isAllowed = useStore(sessionStore, mayConvert)
  if (isAllowed && item.lookUp === 'now') return <Badge>{t('row.looking')}</Badge>
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 text-[13px] text-muted">
      {t('row.notLooked')}
      {isAllowed && (
        <Button size="small" aria-label={t('row.lookAt', { name: item.name })} onClick={() => void lookUp(item.id)}>
          {t('row.look')}
        </Button>
      )}
    </div>
  )
}

function Target({ item }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const target = targetOf(item, useChoices())
  const { data = [], isSuccess } = useQuery(targetsQuery(item.source))
  if (item.lookUp) return <LookUp item={item} />
  if (item.source === '' || (isSuccess && data.length === 0)) {
    return <span className="text-[13px] text-pretty text-warn">{t('row.unknown')}</span>
  }
  return (
    <TargetPicker
      label={t('row.target', { name: item.name })}
      targets={data}
      value={target}
      isQuiet
      onChoose={(next) => changeItem(item.id, () => ({ target: next }))}
    />
  )
}
