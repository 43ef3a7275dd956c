import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlobAddress } from '../../lib/blob-address.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import type { Item } from '../item.ts'
import { blobs, changeItem } from '../state.ts'
import { type Corner, type Frame, fitFrame, moveFrame, type Size, stretchFrame } from './crop-frame.ts'
import { ToolDialog } from './tool-dialog.tsx'

const corners: readonly (Corner & { readonly place: string })[] = [
  { isLeft: true, isTop: true, place: 'left-0 top-0 cursor-nwse-resize' },
  { isLeft: false, isTop: true, place: 'right-0 top-0 cursor-nesw-resize' },
  { isLeft: true, isTop: false, place: 'bottom-0 left-0 cursor-nesw-resize' },
  { isLeft: false, isTop: false, place: 'right-0 bottom-0 cursor-nwse-resize' },
]
const fields = ['x', 'y', 'width', 'height'] as const

/** Selects the part of an image to keep: with a frame, by keyboard, or by numbers. */
export function CropDialog({ item, onClose }: { readonly item: Item; onClose(): void }) {
  const { t } = useTranslation('tools')
  const address = useBlobAddress(blobs.get(item.id))
  const [size, setSize] = useState<Size>()
  const [frame, setFrame] = useState<Frame | undefined>(item.edits?.crop as Frame | undefined)
  const [isBroken, setIsBroken] = useState(false)
  const isWhole = size && frame && frame.width === size.width && frame.height === size.height
  const apply = (crop: Frame | undefined) => {
    changeItem(item.id, ({ edits }) => {
      const { crop: _before, ...others } = edits ?? {}
      return { edits: crop ? { ...others, crop: { ...crop } } : others }
    })
    onClose()
  }
  return (
    <ToolDialog
      title={t('crop.title')}
      about={item.name}
      isWide
      onClose={onClose}
      actions={
        <>
          <Button look="ghost" disabled={!item.edits?.crop} onClick={() => apply(undefined)}>
            {t('crop.none')}
          </Button>
          <Button look="primary" disabled={!frame} onClick={() => apply(isWhole ? undefined : frame)}>
            {t('crop.apply')}
          </Button>
        </>
      }
    >
      {isBroken && <p role="alert">{t('crop.broken')}</p>}
      {/* Images have no text direction. */}
      <div dir="ltr" className="grid place-items-center rounded-control bg-sunken p-3">
        <div className="relative">
          {address && !isBroken && (
            <img
              src={address}
              alt=""
              draggable={false}
              className="block max-h-[46dvh] max-w-full select-none"
              onError={() => setIsBroken(true)}
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
                setSize({ width, height })
                setFrame((before) => fitFrame(before ?? { x: 0, y: 0, width, height }, { width, height }))
              }}
            />
          )}
          {size && frame && <FrameOnPicture frame={frame} size={size} onChange={setFrame} />}
        </div>
      </div>
      {size && frame && (
        <>
          <div className="num grid grid-cols-2 gap-3 sm:grid-cols-4">
            {fields.map((name) => (
              <TextField
                key={name}
                label={t(`crop.${name}`)}
                type="number"
                min={name === 'x' || name === 'y' ? 0 : 1}
                value={frame[name]}
                onChange={({ target }) => setFrame(fitFrame({ ...frame, [name]: Number(target.value) }, size))}
              />
            ))}
          </div>
          <p className="num text-[13px] text-muted" aria-live="polite">
            {t('crop.kept', { width: frame.width, height: frame.height, all: `${size.width} × ${size.height}` })}
          </p>
        </>
      )}
    </ToolDialog>
  )
}

interface FrameProps {
  readonly frame: Frame
  readonly size: Size
  onChange(frame: Frame): void
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function FrameOnPicture({ frame, size, onChange }: FrameProps) {
  const { t } = useTranslation('tools')
  const box = useRef<HTMLDivElement>(null)
  const share = (value: number, of: number) => `${(value / of) * 100}%`
  const press = (event: KeyboardEvent) => {
    const [x, y] = arrows[event.key] ?? []
    if (x === undefined || y === undefined) return
    event.preventDefault()
    const step = event.ctrlKey ? 1 : Math.max(1, Math.round(Math.max(size.width, size.height) / 100))
    const last = { isLeft: false, isTop: false }
    onChange(
      event.shiftKey ? stretchFrame(frame, last, x * step, y * step, size) : moveFrame(frame, x * step, y * step, size),
    )
  }
  /** Follows a pointer, in pixels of the image. */
  const drag = (event: PointerEvent<HTMLElement>, change: (dx: number, dy: number) => Frame) => {
    const scale = size.width / (box.current?.clientWidth || size.width)
    const { currentTarget: held, clientX, clientY, pointerId } = event
    event.stopPropagation()
    held.setPointerCapture(pointerId)
    const stop = new AbortController()
    const follow = (move: globalThis.PointerEvent) =>
      onChange(change((move.clientX - clientX) * scale, (move.clientY - clientY) * scale))
    held.addEventListener('pointermove', follow, { signal: stop.signal })
    for (const end of ['pointerup', 'pointercancel']) held.addEventListener(end, () => stop.abort(), { once: true })
  }
  return (
    <div ref={box} className="absolute inset-0 overflow-hidden">
      <div
        className="absolute shadow-[0_0_0_9999px_rgb(0_0_0/0.55)]"
        style={{
          left: share(frame.x, size.width),
          top: share(frame.y, size.height),
          width: share(frame.width, size.width),
          height: share(frame.height, size.height),
        }}
      >
        <button
          type="button"
          aria-label={t('crop.frame', { ...frame })}
          title={t('crop.keys')}
          className="absolute inset-0 cursor-move touch-none border-2 border-white outline-1 outline-black/40"
          onKeyDown={press}
          onPointerDown={(event) => drag(event, (dx, dy) => moveFrame(frame, dx, dy, size))}
        />
        {corners.map((corner) => (
          <span
            key={corner.place}
            aria-hidden="true"
            className={`absolute size-5 touch-none rounded-full border-2 border-white bg-accent ${corner.place}`}
            onPointerDown={(event) => drag(event, (dx, dy) => stretchFrame(frame, corner, dx, dy, size))}
          />
        ))}
      </div>
    </div>
  )
}
