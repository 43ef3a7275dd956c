import { Link } from '@tanstack/react-router'
import { Combine, Download, Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { useStore } from '../../lib/store.ts'
import { mayConvert, sessionStore } from '../../session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { knownTargets } from '../choosing.ts'
import { canSendAgain, isExpired } from '../expiry.ts'
import { type Item, isOpen } from '../item.ts'
import { canMerge } from '../merging.ts'
import { type KnownTargets, readinessOf } from '../plan-targets.ts'
import { cancel, convert, remove } from '../running.ts'
import { type ConverterState, converter } from '../state.ts'
import { MergeDialog, ShareDialog } from '../tools/tools.tsx'
import { useExpiry } from '../use-expiry.ts'
import { downloadAll } from './download-all.ts'

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
  const saved = done.reduce((sum, item) => sum + item.size - (item.result?.size ?? 0), 0)
  return (
    <div className="fixed inset-x-0 bottom-0 z-30 border-t bg-surface pb-[env(safe-area-inset-bottom)]">
      {isBusy && <Total items={[...open, ...done, ...failed]} />}
      <div className="mx-auto flex max-w-[960px] flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-6">
        <p className="num flex min-w-0 flex-1 basis-40 flex-wrap gap-x-3" aria-live="polite">
          {isBusy || done.length + failed.length > 0 ? (
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
            <Button look="ghost" onClick={() => remove(all.map(({ id }) => id))}>
              {t('bar.clear')}
            </Button>
          )}
          <Tools all={all} done={kept} />
          <Next
            staged={staged.length}
            ready={ready}
            isUndecided={isUndecided}
            done={kept}
            expired={expired}
            isBusy={isBusy}
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

function Total({ items }: { readonly items: readonly Item[] }) {
  const { t } = useTranslation('list')
  const weight = { waiting: 0, uploading: 0, queued: 0.3, running: 0.4 } as const
  const share = items.reduce((sum, item) => {
    if (!isOpen(item)) return sum + 1
    const from = weight[item.stage as keyof typeof weight]
    const span = item.stage === 'uploading' ? 0.3 : item.stage === 'running' ? 0.6 : 0
    return sum + from + span * (item.progress ?? 0)
  }, 0)
  const percent = Math.round((share / Math.max(1, items.length)) * 100)
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

interface NextProps {
  /** How many files are not converted yet, and those that can be. */
  readonly staged: number
  readonly ready: readonly Item[]
  /** Whether the page still asks what some files can become. */
  readonly isUndecided: boolean
  readonly done: readonly Item[]
  readonly expired: readonly Item[]
  readonly isBusy: boolean
}

function Next({ staged, ready, isUndecided, done, expired, isBusy }: NextProps) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const session = useStore(sessionStore, (now) => now)
  const primary = 'max-sm:flex-1'
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
        <Button look="primary" className={primary} disabled={isUndecided} onClick={() => void convert()}>
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
    setState((await downloadAll(done).catch(() => false)) ? 'idle' : 'failed')
  }
  return (
    <Button look={look} className="max-sm:flex-1" disabled={state === 'packing'} onClick={() => void pack()}>
      <Download size={16} aria-hidden />
      {state === 'packing' ? t('bar.packing') : state === 'failed' ? t('bar.packAgain') : t('bar.downloadAll')}
    </Button>
  )
}
