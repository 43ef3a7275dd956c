import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'

interface ToolDialogProps {
  readonly title: string
  /** The name of the file it is about. */
  readonly about?: string
  readonly isWide?: boolean
  readonly children: ReactNode
  /** The buttons at its end. */
  readonly actions: ReactNode
  onClose(): void
}

/** A centered dialog whose actions are always visible. */
export function ToolDialog({ title, about, isWide = false, children, actions, onClose }: ToolDialogProps) {
  const { t } = useTranslation('list')
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-starting-style:opacity-0" />
        <Dialog.Popup
          className={classes(
            'fixed inset-4 z-50 m-auto flex h-fit max-h-[calc(100dvh-2rem)] flex-col overflow-hidden rounded-panel border border-line bg-surface shadow-popup outline-none',
            isWide ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-center gap-3 border-b px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Dialog.Title className="text-[17px] leading-6 font-semibold tracking-tight">{title}</Dialog.Title>
              {about !== undefined && (
                <Dialog.Description className="truncate text-[13px] text-muted">
                  <bdi>{about}</bdi>
                </Dialog.Description>
              )}
            </div>
            <Dialog.Close render={<Button look="ghost" size="icon" aria-label={t('options.close')} />}>
              <X size={18} aria-hidden />
            </Dialog.Close>
          </div>
          <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto overscroll-contain px-5 py-5">
            {children}
          </div>
          <div className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-4">{actions}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
