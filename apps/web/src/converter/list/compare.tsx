import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlobAddress } from '../../lib/blob-address.ts'
import { useFormats } from '../../lib/formats.ts'
import { Button } from '../../ui/button.tsx'
import type { Item } from '../item.ts'
import { blobs } from '../state.ts'

/** Shows the source over the result, with a movable divider. */
export function Compare({ item, onClose }: { readonly item: Item; onClose(): void }) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const [share, setShare] = useState(50)
  const before = useBlobAddress(blobs.get(item.id))
  const { size = 0, path = '' } = item.result ?? {}
  const saved = item.size > 0 ? 1 - size / item.size : 0
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Dialog.Popup className="fixed inset-4 z-50 m-auto flex h-fit max-h-[calc(100dvh-2rem)] max-w-4xl flex-col overflow-hidden rounded-panel border border-line bg-surface shadow-popup outline-none">
          <div className="flex items-center gap-3 px-5 py-3">
            <Dialog.Title className="min-w-0 flex-1 truncate text-[17px] font-semibold tracking-tight">
              <bdi>{item.name}</bdi>
            </Dialog.Title>
            <Dialog.Close render={<Button look="ghost" size="icon" aria-label={t('options.close')} />}>
              <X size={18} aria-hidden />
            </Dialog.Close>
          </div>
          <div dir="ltr" className="relative min-h-40 overflow-hidden bg-sunken">
            {before && <img src={before} alt="" className="mx-auto block max-h-[60dvh] w-full object-contain" />}
            <img
              src={path}
              alt=""
              className="absolute inset-0 size-full bg-sunken object-contain"
              style={{ clipPath: `inset(0 0 0 ${share}%)` }}
            />
            <div className="pointer-events-none absolute inset-y-0 w-0.5 bg-accent" style={{ left: `${share}%` }} />
            <input
              type="range"
              min={0}
              max={100}
              value={share}
              aria-label={t('compare.slider')}
              onChange={({ target }) => setShare(Number(target.value))}
              className="absolute inset-0 size-full cursor-ew-resize opacity-0"
            />
          </div>
          <dl dir="ltr" className="num grid grid-cols-2 gap-4 px-5 py-3">
            <div>
              <dt className="text-[13px] text-muted">{t('compare.before')}</dt>
              <dd className="font-medium">
                {item.source.toUpperCase()} · {formats.bytes(item.size)}
              </dd>
            </div>
            <div className="text-end">
              <dt className="text-[13px] text-muted">{t('compare.after')}</dt>
              <dd className="font-medium">
                {item.convertedTo?.toUpperCase()} · {formats.bytes(size)}
                {saved > 0.01 && (
                  <span className="text-ok"> · {t('stage.smaller', { percent: formats.percent(saved) })}</span>
                )}
              </dd>
            </div>
          </dl>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
