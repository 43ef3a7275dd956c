import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlobAddress } from '../../lib/blob-address.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import type { Item } from '../item.ts'
import { blobs, changeItem } from '../state.ts'
import { Frames } from './frames.tsx'
import { formatTime, parseTime } from './time.ts'
import { ToolDialog } from './tool-dialog.tsx'
import { Waveform } from './waveform.tsx'

interface Part {
  readonly start: number
  readonly end: number
}

/** Selects the part of a recording to keep: with two handles, or by times. */
export function TrimDialog({ item, onClose }: { readonly item: Item; onClose(): void }) {
  const { t } = useTranslation('tools')
  const blob = blobs.get(item.id)
  const before = item.edits?.trim
  const [length, setLength] = useState<number>()
  const [part, setPart] = useState<Part>({ start: Number(before?.start ?? 0), end: Number(before?.end ?? 0) })
  const end = part.end || length || 0
  const isGood = end > part.start && (length === undefined || part.start < length)
  const isWhole = part.start === 0 && (end === 0 || end === length)
  const apply = (trim: Part | undefined) => {
    changeItem(item.id, ({ edits }) => {
      const { trim: _before, ...others } = edits ?? {}
      return { edits: trim ? { ...others, trim: { ...trim } } : others }
    })
    onClose()
  }
  return (
    <ToolDialog
      title={t('trim.title')}
      about={item.name}
      isWide
      onClose={onClose}
      actions={
        <>
          <Button look="ghost" disabled={!before} onClick={() => apply(undefined)}>
            {t('trim.none')}
          </Button>
          <Button
            look="primary"
            disabled={!isGood}
            onClick={() => apply(isWhole ? undefined : { start: part.start, end })}
          >
            {t('trim.apply')}
          </Button>
        </>
      }
    >
      {blob && (
        <Recording
          blob={blob}
          isVideo={item.kind === 'video'}
          at={part.start}
          onLength={(seconds) => {
            setLength(seconds)
            setPart((now) => ({ start: Math.min(now.start, seconds), end: Math.min(now.end || seconds, seconds) }))
          }}
        />
      )}
      {blob && (
        <Timeline part={{ ...part, end }} length={length} onChange={setPart}>
          {item.kind === 'video' ? <Frames blob={blob} /> : <Waveform blob={blob} />}
        </Timeline>
      )}
      <div className="grid grid-cols-2 gap-3">
        <TimeField
          label={t('trim.start')}
          value={part.start}
          onChange={(start) => setPart({ ...part, end, start: Math.min(start, length ?? start) })}
        />
        <TimeField
          label={t('trim.end')}
          value={end}
          onChange={(next) => setPart({ ...part, end: Math.min(next, length ?? next) })}
        />
      </div>
      <p className="num text-[13px] text-muted" aria-live="polite">
        {isGood ? t('trim.kept', { time: formatTime(end - part.start) }) : t('trim.wrong')}
      </p>
    </ToolDialog>
  )
}

interface RecordingProps {
  readonly blob: Blob
  readonly isVideo: boolean
  readonly at: number
  onLength(seconds: number): void
}

/** Plays the recording; if the browser cannot play it, times can still be entered. */
function Recording({ blob, isVideo, at, onLength }: RecordingProps) {
  const { t } = useTranslation('tools')
  const address = useBlobAddress(blob)
  const player = useRef<HTMLVideoElement>(null)
  const [isBroken, setIsBroken] = useState(false)
  if (player.current?.paused && Math.abs(player.current.currentTime - at) > 0.05) {
    player.current.currentTime = at
  }
  const Player = isVideo ? 'video' : 'audio'
  return (
    <>
      {isBroken && <p className="text-[13px] text-warn">{t('trim.unplayable')}</p>}
      {address && !isBroken && (
        <Player
          ref={player}
          src={address}
          controls
          preload="metadata"
          aria-label={t('trim.player')}
          className={isVideo ? 'max-h-[40dvh] w-full rounded-control bg-black' : 'w-full'}
          onError={() => setIsBroken(true)}
          onLoadedMetadata={({ currentTarget: { duration } }) => Number.isFinite(duration) && onLength(duration)}
        />
      )}
    </>
  )
}

interface TimelineProps {
  readonly part: Part
  /** Undefined until the browser has read it, or if it cannot. */
  readonly length: number | undefined
  /** What the recording sounds or looks like, from its start to its end. */
  readonly children: ReactNode
  onChange(part: Part): void
}

/** The whole recording with the handles on it; what is cut away is dimmed. */
function Timeline({ part, length, children, onChange }: TimelineProps) {
  const { t } = useTranslation('tools')
  if (length === undefined) return null
  const step = length > 60 ? 0.1 : 0.05
  const share = (seconds: number) => Math.min(1, seconds / length)
  const [from, to] = [share(part.start), Math.max(share(part.start), share(part.end))]
  const shared = { min: 0, max: length, step, className: 'range-handle' } as const
  return (
    <div dir="ltr" className="relative px-2.5">
      <div className="relative overflow-hidden rounded-control bg-sunken">
        {children}
        <Dimmed from={0} to={from} />
        <Dimmed from={to} to={1} />
        <div
          className="absolute inset-y-0 border-y-2 border-accent"
          style={{ left: `${from * 100}%`, right: `${(1 - to) * 100}%` }}
        />
      </div>
      <input
        {...shared}
        type="range"
        aria-label={t('trim.startHandle')}
        aria-valuetext={formatTime(part.start)}
        value={part.start}
        onChange={({ target }) => onChange({ ...part, start: Math.min(Number(target.value), part.end) })}
      />
      <input
        {...shared}
        type="range"
        aria-label={t('trim.endHandle')}
        aria-valuetext={formatTime(part.end)}
        value={part.end}
        onChange={({ target }) => onChange({ ...part, end: Math.max(Number(target.value), part.start) })}
      />
    </div>
  )
}

/** A part of the recording that is cut away. */
function Dimmed({ from, to }: { readonly from: number; readonly to: number }) {
  const style = { left: `${from * 100}%`, right: `${(1 - to) * 100}%` }
  return <div data-cut className="absolute inset-y-0 bg-surface opacity-75" style={style} />
}

interface TimeFieldProps {
  readonly label: string
  readonly value: number
  onChange(seconds: number): void
}

/** A time as text; incomplete input is kept as typed. */
function TimeField({ label, value, onChange }: TimeFieldProps) {
  const { t } = useTranslation('tools')
  const [text, setText] = useState<string>()
  const isWrong = text !== undefined && parseTime(text) === undefined
  return (
    <TextField
      label={label}
      inputMode="decimal"
      className="num"
      value={text ?? formatTime(value)}
      error={isWrong ? t('trim.form') : undefined}
      onBlur={() => setText(undefined)}
      onChange={({ target }) => {
        setText(target.value)
        const seconds = parseTime(target.value)
        if (seconds !== undefined) onChange(seconds)
      }}
    />
  )
}
