import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'

interface DrawerProps {
  readonly title: string
  readonly children: ReactNode
  onClose(): void
}

/** A form at the side of its page. */
export function Drawer({ title, children, onClose }: DrawerProps) {
  const { t } = useTranslation('dashboard')
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 end-0 z-50 flex w-full flex-col overflow-y-auto border-s border-line bg-surface shadow-popup outline-none sm:w-[460px]">
          <div className="flex items-start gap-3 border-b px-5 py-4">
            <Dialog.Title className="min-w-0 flex-1 text-[17px] leading-6 font-semibold tracking-tight break-words">
              {title}
            </Dialog.Title>
            <Dialog.Close render={<Button look="ghost" size="icon" aria-label={t('common.close')} />}>
              <X size={18} aria-hidden />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
