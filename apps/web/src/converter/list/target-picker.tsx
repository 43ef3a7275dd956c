import { Combobox } from '@base-ui/react/combobox'
import { type Family, findFormat } from '@lathe/formats'
import { Check, ChevronsUpDown, Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'

interface Target {
  readonly value: string
  readonly label: string
  readonly name: string
}

interface TargetGroup {
  readonly value: Family
  readonly items: readonly Target[]
}

interface TargetPickerProps {
  readonly label: string
  readonly targets: readonly string[]
  readonly value: string | undefined
  readonly isQuiet?: boolean
  onChoose(target: string): void
}

const order: readonly Family[] = ['image', 'document', 'text', 'video', 'audio', 'archive']

/** Picks one of the possible formats, searched by extension or name. */
export function TargetPicker(props: TargetPickerProps) {
  const [isWanted, setIsWanted] = useState(false)
  if (isWanted) return <OpenPicker {...props} />
  const { label, targets, value, isQuiet = false } = props
  // The list is expensive to render and rarely opened: until then only its button exists.
  return (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      aria-label={value === undefined ? label : `${label}: ${value.toUpperCase()}`}
      disabled={targets.length === 0}
      className={triggerClass(isQuiet)}
      onClick={() => setIsWanted(true)}
      onKeyDown={({ key }) => (key === 'ArrowDown' || key === 'ArrowUp') && setIsWanted(true)}
    >
      <TriggerContent text={value?.toUpperCase()} />
    </button>
  )
}

function triggerClass(isQuiet: boolean): string {
  return classes(
    buttonClass(isQuiet ? 'ghost' : 'plain', 'small'),
    'min-w-[84px] justify-between data-disabled:opacity-60',
    isQuiet && '!text-text',
  )
}

function TriggerContent({ text = '…' }: { readonly text: string | undefined }) {
  return (
    <>
      <span>{text}</span>
      <ChevronsUpDown size={14} aria-hidden className="text-faint" />
    </>
  )
}

/** The opened list. It stays mounted when closed, so that the focus is kept. */
function OpenPicker({ label, targets, value, isQuiet = false, onChoose }: TargetPickerProps) {
  const { t } = useTranslation('list')
  const groups = useMemo(() => toGroups(targets), [targets])
  const chosen = value === undefined ? null : toTarget(value)
  return (
    <Combobox.Root
      defaultOpen
      items={groups}
      value={chosen}
      isItemEqualToValue={(one: Target, other: Target) => one.value === other.value}
      itemToStringLabel={({ label: ext, name }: Target) => `${ext} ${name}`}
      onValueChange={(next: Target | null) => next && onChoose(next.value)}
      disabled={targets.length === 0}
    >
      <Combobox.Trigger aria-label={chosen ? `${label}: ${chosen.label}` : label} className={triggerClass(isQuiet)}>
        <TriggerContent text={chosen?.label} />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="end" sideOffset={6} className="z-40 outline-none">
          <Combobox.Popup
            aria-label={label}
            className="w-[min(300px,var(--available-width))] origin-[var(--transform-origin)] overflow-hidden rounded-card border border-line bg-surface shadow-popup transition-[opacity,scale] duration-100 data-ending-style:scale-[0.98] data-ending-style:opacity-0 data-starting-style:scale-[0.98] data-starting-style:opacity-0"
          >
            <div className="flex items-center gap-2 border-b px-3">
              <Search size={16} aria-hidden className="text-faint" />
              <Combobox.Input
                aria-label={t('picker.search')}
                placeholder={t('picker.search')}
                className="min-h-10 w-full bg-transparent outline-none pointer-coarse:text-base"
              />
            </div>
            <Combobox.Empty>
              <div className="px-4 py-6 text-center text-muted">{t('picker.none')}</div>
            </Combobox.Empty>
            <Combobox.List className="max-h-[min(320px,calc(var(--available-height)-48px))] scroll-py-8 overflow-y-auto overscroll-contain p-1 empty:p-0">
              {(group: TargetGroup) => (
                <Combobox.Group key={group.value} items={group.items} className="pb-1">
                  <Combobox.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-faint">
                    {t(`kind.${group.value}`)}
                  </Combobox.GroupLabel>
                  <Combobox.Collection>
                    {(target: Target) => (
                      <Combobox.Item
                        key={target.value}
                        value={target}
                        className="grid cursor-default grid-cols-[56px_minmax(0,1fr)_16px] items-center gap-2 rounded-control px-2.5 py-1.5 select-none data-highlighted:bg-sunken pointer-coarse:py-2.5"
                      >
                        <span className="font-medium">{target.label}</span>
                        <span className="truncate text-[13px] text-muted">{target.name}</span>
                        <Combobox.ItemIndicator>
                          <Check size={16} aria-hidden className="text-accent" />
                        </Combobox.ItemIndicator>
                      </Combobox.Item>
                    )}
                  </Combobox.Collection>
                </Combobox.Group>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

// Common formats come first, the rest by name.
const common = ['jpg', 'png', 'webp', 'avif', 'gif', 'pdf', 'docx', 'xlsx', 'pptx', 'mp4', 'webm', 'mp3', 'm4a', 'wav']

function rankOf(ext: string): number {
  const rank = common.indexOf(ext)
  return rank < 0 ? common.length : rank
}

function toTarget(ext: string): Target {
  return { value: ext, label: ext.toUpperCase(), name: findFormat(ext)?.name ?? '' }
}

function toGroups(targets: readonly string[]): TargetGroup[] {
  const byFamily = Map.groupBy(targets, (ext) => findFormat(ext)?.family)
  return order.flatMap((value) => {
    const items = (byFamily.get(value) ?? []).toSorted((a, b) => rankOf(a) - rankOf(b)).map(toTarget)
    return items.length > 0 ? [{ value, items }] : []
  })
}
