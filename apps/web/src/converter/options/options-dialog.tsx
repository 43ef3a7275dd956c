import { Dialog } from '@base-ui/react/dialog'
import { useQueries } from '@tanstack/react-query'
import { RotateCcw, X } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../../lib/store.ts'
import { mayConvert, sessionStore } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Options, OptionValue } from '../item.ts'
import { applicable, commonOptions, faultOf } from '../option-rules.ts'
import { optionsQuery } from '../queries.ts'
import { OptionField } from './option-field.tsx'
import { RouteNotes } from './route-notes.tsx'

// Presets are loaded with the first options dialog, not with the list.
const PresetPicker = lazy(async () => {
  const [made, { readyPresets }] = await Promise.all([
    import('../../presets/preset-picker.tsx'),
    import('../../presets/words.ts'),
  ])
  await readyPresets()
  return { default: made.PresetPicker }
})

interface OptionsDialogProps {
  readonly title: string
  /** The name of the file, if it is about one. */
  readonly about?: string
  readonly sources: readonly string[]
  readonly target: string
  readonly options: Options
  readonly applyToAll?: { readonly label: string; apply(options: Options): void }
  onClose(): void
  onApply(options: Options): void
}

/** All options of a conversion, built from their descriptors. Options that do not apply are hidden. */
export function OptionsDialog(props: OptionsDialogProps) {
  const { title, about, sources, target, applyToAll, onClose, onApply } = props
  const { t } = useTranslation('list')
  const [options, setOptions] = useState<Options>(props.options)
  const hasPresets = useStore(sessionStore, mayConvert)
  const answers = useQueries({ queries: sources.map((source) => optionsQuery(source, target)) })
  const isLoading = answers.some(({ isPending }) => isPending)
  const hasFailed = answers.some(({ isError }) => isError)
  const descriptors = commonOptions(answers.map(({ data }) => data ?? []))
  const shown = applicable(descriptors, options)
  const isFaulty = shown.some((descriptor) => faultOf(descriptor, options) !== undefined)
  const set = (name: string, value: OptionValue | undefined) => {
    const { [name]: _before, ...rest } = options
    setOptions(value === undefined || value === '' ? rest : { ...rest, [name]: value })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isFaulty) return
    onApply(options)
    onClose()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 end-0 z-50 flex w-full flex-col border-s border-line bg-surface shadow-popup transition-transform duration-150 outline-none data-starting-style:translate-x-6 sm:w-[420px] rtl:data-starting-style:-translate-x-6">
          <div className="flex items-start gap-3 border-b px-5 py-4">
            <div className="min-w-0 flex-1">
              <Dialog.Title className="text-[17px] leading-6 font-semibold tracking-tight">{title}</Dialog.Title>
              {about && (
                <Dialog.Description className="truncate text-[13px] text-muted">
                  <bdi>{about}</bdi>
                </Dialog.Description>
              )}
            </div>
            <Dialog.Close render={<Button look="ghost" size="icon" aria-label={t('options.close')} />}>
              <X size={18} aria-hidden />
            </Dialog.Close>
          </div>
          {hasPresets && descriptors.length > 0 && (
            <Suspense fallback={<div className="h-[69px] shrink-0 border-b" />}>
              <PresetPicker
                target={target}
                descriptors={descriptors}
                options={options}
                isFaulty={isFaulty}
                onChoose={setOptions}
              />
            </Suspense>
          )}
          <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
            <div className="grid flex-1 content-start gap-5 overflow-y-auto overscroll-contain px-5 py-5">
              <RouteNotes sources={sources} target={target} />
              {isLoading && <OptionsSkeleton />}
              {hasFailed && <Notice tone="bad">{t('options.unreachable')}</Notice>}
              {!isLoading && !hasFailed && shown.length === 0 && <p className="text-muted">{t('options.none')}</p>}
              {shown.map((descriptor) => (
                <OptionField
                  key={descriptor.name}
                  descriptor={descriptor}
                  options={options}
                  onChange={(value) => set(descriptor.name, value)}
                />
              ))}
            </div>
            <div className="grid gap-2 border-t px-5 py-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
              <div className="flex items-center gap-2">
                <Button look="ghost" disabled={Object.keys(options).length === 0} onClick={() => setOptions({})}>
                  <RotateCcw size={16} aria-hidden />
                  {t('options.reset')}
                </Button>
                <Button type="submit" look="primary" className="ms-auto min-w-24" disabled={isFaulty}>
                  {t('options.apply')}
                </Button>
              </div>
              {applyToAll && (
                <Button
                  disabled={isFaulty}
                  className="!whitespace-normal"
                  onClick={() => {
                    applyToAll.apply(options)
                    onClose()
                  }}
                >
                  {applyToAll.label}
                </Button>
              )}
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function OptionsSkeleton() {
  return (
    <div className="grid gap-6" aria-hidden="true">
      {[0, 1, 2, 3].map((n) => (
        <div key={n} className="grid gap-2">
          <div className="skeleton h-3.5 w-24" />
          <div className="skeleton h-9" />
        </div>
      ))}
    </div>
  )
}
