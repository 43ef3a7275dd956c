import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import type { Item } from '../item.ts'

interface RowStatusProps {
  readonly item: Item
  readonly isExpired: boolean
}

/** The status of a file as text, and as a bar if the progress is known. */
export function RowStatus({ item, isExpired }: RowStatusProps) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  switch (item.stage) {
    case 'uploading':
      return <Uploading item={item} />
    case 'running': {
      const left = item.secondsLeft === undefined ? '' : t('stage.left', { time: formats.duration(item.secondsLeft) })
      const text = item.progress
        ? [formats.percent(item.progress), left].filter(Boolean).join(' · ')
        : t('stage.running')
      return <Bar item={item} text={text} />
    }
    case 'done':
      return isExpired ? <Badge tone="warn">{t('stage.expired')}</Badge> : <Done item={item} />
    case 'failed':
      return <Badge tone="bad">{t('stage.failed')}</Badge>
    case 'queued':
      return <Queued item={item} />
    default:
      return <Badge>{t(`stage.${item.stage}`)}</Badge>
  }
}

// Smaller files are sent before anybody has read about it.
const smallest = 2_000_000

function Uploading({ item }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const { progress = 0, size, bytesPerSecond: speed = 0 } = item
  // The service stores the last bytes before it answers.
  if (progress >= 1) return <Bar item={item} text={t('stage.arriving')} />
  // Rounded up, the last half percent would say that all is sent.
  const text = t('stage.uploading', { percent: formats.percent(Math.min(progress, 0.99)) })
  const details = [
    t('stage.sent', { sent: formats.bytes(progress * size), all: formats.bytes(size) }),
    speed > 0 && t('stage.speed', { size: formats.bytes(speed) }),
    speed > 0 && t('stage.left', { time: formats.duration(((1 - progress) * size) / speed) }),
  ]
  return <Bar item={item} text={text} details={size > smallest ? details.filter(Boolean).join(' · ') : ''} />
}

function Queued({ item: { position, secondsToStart, secondsToEnd } }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const estimate =
    secondsToEnd !== undefined
      ? t('stage.doneIn', { time: formats.duration(secondsToEnd) })
      : secondsToStart !== undefined && t('stage.startsIn', { time: formats.duration(secondsToStart) })
  return (
    <div className="grid gap-1 sm:justify-items-end">
      <Badge>{position ? t('stage.position', { position: formats.count(position) }) : t('stage.queued')}</Badge>
      {estimate && <span className="num text-[13px] text-muted">{estimate}</span>}
    </div>
  )
}

interface BarProps {
  readonly item: Item
  readonly text: string
  readonly details?: string
}

function Bar({ item, text, details = '' }: BarProps) {
  return (
    <div className="grid w-full max-w-[220px] min-w-[150px] gap-1.5">
      <span className="num text-[13px] text-muted">{text}</span>
      <ProgressBar label={item.name} value={item.progress} />
      {details && <span className="num text-[13px] text-pretty text-muted">{details}</span>}
    </div>
  )
}

function Done({ item }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const { size = 0, files = [] } = item.result ?? {}
  const saved = item.size > 0 && files.length === 1 ? 1 - size / item.size : 0
  const change = saved >= 0.01 ? t('stage.smaller', { percent: formats.percent(saved) }) : ''
  const amount = files.length > 1 ? t('list.files', { count: files.length }) : ''
  return (
    <Badge tone="ok">
      <Check size={14} aria-hidden />
      <span className="sr-only">{t('stage.done')}</span>
      {[amount, formats.bytes(size), change].filter(Boolean).join(' · ')}
    </Badge>
  )
}
