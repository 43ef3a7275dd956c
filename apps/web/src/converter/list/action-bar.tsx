import { Link } from '@tanstack/react-router'
import { Combine, Download, Share2 } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { useStore } from '../../lib/store.ts'
import { mayConvert, sessionStore } from '../../session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { knownTargets } from '../choosing.ts'
import { clearList, undoClear } from '../clearing.ts'
import { canSendAgain, isExpired } from '../expiry.ts'
import { type Item, isOpen } from '../item.ts'
import { canMerge } from '../merging.ts'
import { type KnownTargets, readinessOf } from '../plan-targets.ts'
import { cancel, convert } from '../running.ts'
import { type ConverterState, converter } from '../state.ts'
import { MergeDialog, ShareDialog } from '../tools/tools.tsx'
import { useExpiry } from '../use-expiry.ts'
import { downloadAll } from './download-all.ts'
import { nameArchive } from './name-archive.ts'
import { useProgressTitle } from './use-progress-title.ts'

/** The state of all files and the next action. It stays visible. */
export function ActionBar() {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const state = useStore(converter, (now) => now)
  const known = useStore(knownTargets, (now) => now)
  const { all, staged, ready, impossible, isUndecided, open, done, failed } = sortOut(state, known)
  const now = useExpiry(done)
  const expired = done.filter((item) => isExpired(item, now))
  const kept = done.filter((item) => !isExpired(item, now))
  const isBusy = open.length > 0
  const size = all.reduce((sum, item) => sum + item.size, 0)
  const bar = useRef<HTMLParagraphElement>(null)
  const total = isBusy ? shareOf([...open, ...done, ...failed]) : undefined
  useProgressTitle(total === undefined ? undefined : formats.percent(total))
  /** Runs what replaces the button that was pressed: the focus goes to the text before the next buttons. */
  const leaving = (act: () => unknown) => {
    act()
    bar.current?.focus()
  }
  const saved = done.reduce((sum, item) => sum + item.size - (item.result?.size ?? 0), 0)
  return (
    <div className="fixed inset-x-0 bottom-0 z-30 border-t bg-surface pb-[env(safe-area-inset-bottom)]">
      {total !== undefined && <Total share={total} />}
      <div className="mx-auto flex max-w-[960px] flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-6">
        <p ref={bar} tabIndex={-1} className="num flex min-w-0 flex-1 basis-40 flex-wrap gap-x-3" aria-live="polite">
          {all.length === 0 && state.removed ? (
            <b className="font-semibold">{t('bar.removed', { count: state.removed.length })}</b>
          ) : isBusy || done.length + failed.length > 0 ? (
            <b className="font-semibold">
              {t('bar.done', { done: formats.count(done.length), all: formats.count(all.length) })}
            </b>
          ) : (
            <b className="font-semibold">{t('list.files', { count: all.length })}</b>
          )}
          <span className="text-muted">
            {[
              size > 0 && formats.bytes(size),
              impossible.length > 0 && t('bar.impossible', { count: impossible.length }),
              failed.length > 0 && t('bar.failed', { count: failed.length }),
              expired.length > 0 && t('bar.expired', { count: expired.length }),
              !isBusy && saved > 1000 && t('bar.saved', { size: formats.bytes(saved) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:justify-end">
          {isBusy ? (
            <Button look="danger" onClick={() => open.forEach(({ id }) => void cancel(id))}>
              {t('bar.cancelAll')}
            </Button>
          ) : (
            all.length > 0 && (
              <Button look="ghost" onClick={() => leaving(clearList)}>
                {t('bar.clear')}
              </Button>
            )
          )}
          {state.removed && all.length === 0 && <Button onClick={() => leaving(undoClear)}>{t('bar.undo')}</Button>}
          <Tools all={all} done={kept} />
          <Next
            staged={staged.length}
            ready={ready}
            isUndecided={isUndecided}
            done={kept}
            expired={expired}
            isBusy={isBusy}
            onConvert={() => leaving(convert)}
          />
        </div>
      </div>
    </div>
  )
}

const dialogs = { merge: MergeDialog, share: ShareDialog }

/** Actions on several files at once. */
function Tools({ all, done }: { readonly all: readonly Item[]; readonly done: readonly Item[] }) {
  const { t } = useTranslation('list')
  const session = useStore(sessionStore, (now) => now)
  const [shown, setShown] = useState<keyof typeof dialogs>()
  const mergeable = all.filter(canMerge)
  const items = { merge: mergeable, share: done }
  const Dialog = shown && dialogs[shown]
  if (!mayConvert(session)) return null
  return (
    <>
      {mergeable.length > 1 && (
        <Button onClick={() => setShown('merge')}>
          <Combine size={16} aria-hidden />
          {t('bar.merge')}
        </Button>
      )}
      {done.length > 0 && (
        <Button look="ghost" onClick={() => setShown('share')}>
          <Share2 size={16} aria-hidden />
          {t('bar.share')}
        </Button>
      )}
      <Suspense fallback={null}>
        {Dialog && <Dialog items={items[shown]} onClose={() => setShown(undefined)} />}
      </Suspense>
    </>
  )
}

function sortOut({ items, choices }: ConverterState, known: KnownTargets) {
  const all = [...items.values()].filter(({ partOf }) => partOf === undefined)
  const staged = all.filter(({ stage }) => stage === 'staged')
  const byReadiness = Map.groupBy(staged, (item) => readinessOf(item, choices, known))
  return {
    all,
    staged,
    ready: byReadiness.get('ready') ?? [],
    impossible: byReadiness.get('impossible') ?? [],
    isUndecided: byReadiness.has('unknown'),
    open: all.filter(isOpen),
    done: all.filter(({ stage }) => stage === 'done'),
    failed: all.filter(({ stage }) => stage === 'failed'),
  }
}

/** How much of the work on all files is done, from 0 to 1. */
function shareOf(items: readonly Item[]): number {
  const weight = { waiting: 0, uploading: 0, queued: 0.3, running: 0.4 } as const
  const share = items.reduce((sum, item) => {
    if (!isOpen(item)) return sum + 1
    const from = weight[item.stage as keyof typeof weight]
    const span = item.stage === 'uploading' ? 0.3 : item.stage === 'running' ? 0.6 : 0
    return sum + from + span * (item.progress ?? 0)
  }, 0)
  return share / Math.max(1, items.length)
}

function Total({ share }: { readonly share: number }) {
  const { t } = useTranslation('list')
  const percent = Math.round(share * 100)
  return (
    <div
      role="progressbar"
      aria-label={t('bar.total')}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="absolute inset-x-0 -top-px h-0.5 overflow-hidden"
    >
      <div className="h-full bg-accent transition-[width] duration-200" style={{ width: `${percent}%` }} />
    </div>
  )
}

/** Ctrl+Enter, or Cmd+Enter, converts from anywhere on the page, unless a dialog is open. */
function useConvertKey(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    const press = (event: KeyboardEvent) => {
      const isWanted = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat
      if (!isWanted || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      void convert()
    }
    window.addEventListener('keydown', press, { signal: stop.signal })
    return () => stop.abort()
  }, [isOn])
}

interface NextProps {
  /** How many files are not converted yet, and those that can be. */
  readonly staged: number
  readonly ready: readonly Item[]
  /** Whether the page still asks what some files can become. */
  readonly isUndecided: boolean
  readonly done: readonly Item[]
  readonly expired: readonly Item[]
  readonly isBusy: boolean
  onConvert(): void
}

function Next({ staged, ready, isUndecided, done, expired, isBusy, onConvert }: NextProps) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const session = useStore(sessionStore, (now) => now)
  const primary = 'max-sm:flex-1'
  useConvertKey(ready.length > 0 && !isUndecided && mayConvert(session))
  if (ready.length > 0 && session && !mayConvert(session)) {
    return (
      <Link to={session.setupNeeded ? '/setup' : '/sign-in'} className={`${buttonClass('primary')} ${primary}`}>
        {t('bar.signIn')}
      </Link>
    )
  }
  const again = expired.filter((item) => item.parts === undefined && canSendAgain(item))
  return (
    <>
      {again.length > 0 && ready.length === 0 && !isUndecided && !isBusy && (
        <Button
          look={done.length === 0 ? 'primary' : 'plain'}
          className={primary}
          onClick={() => void convert(again.map(({ id }) => id))}
        >
          {t('bar.again', { count: again.length })}
        </Button>
      )}
      {done.length > 0 && <DownloadButton done={done} isPrimary={ready.length === 0 && !isUndecided && !isBusy} />}
      {(ready.length > 0 || isUndecided) && (
        <Button look="primary" className={primary} disabled={isUndecided} onClick={onConvert}>
          {isUndecided || ready.length === staged
            ? t('bar.convert', { count: staged })
            : t('bar.convertSome', { ready: formats.count(ready.length), all: formats.count(staged) })}
        </Button>
      )}
    </>
  )
}

function DownloadButton({ done, isPrimary }: { readonly done: readonly Item[]; readonly isPrimary: boolean }) {
  const { t } = useTranslation('list')
  const [state, setState] = useState<'idle' | 'packing' | 'failed'>('idle')
  const look = isPrimary ? 'primary' : 'plain'
  const [only] = done
  const name = nameArchive(done, (kind) => (kind ? t(`kind.${kind}`) : t('list.label')))
  if (done.length === 1 && only?.result) {
    return (
      <a href={only.result.path} download className={`${buttonClass(look)} max-sm:flex-1`}>
        <Download size={16} aria-hidden />
        {t('bar.download')}
      </a>
    )
  }
  const pack = async () => {
    setState('packing')
    setState((await downloadAll(done, name).catch(() => false)) ? 'idle' : 'failed')
  }
  return (
    <Button look={look} className="max-sm:flex-1" disabled={state === 'packing'} onClick={() => void pack()}>
      <Download size={16} aria-hidden />
      {state === 'packing' ? t('bar.packing') : state === 'failed' ? t('bar.packAgain') : t('bar.downloadAll')}
    </Button>
  )
}
