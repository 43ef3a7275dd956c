import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '../ui/classes.ts'
import { type Command, matchCommands } from './match-commands.ts'
import { useCommands } from './use-commands.ts'

const groups = ['pages', 'jobs', 'actions'] as const

interface PaletteProps {
  onClose(): void
  /** Shows the keyboard shortcuts instead. */
  onShortcuts(): void
}

/** Searches pages, recent jobs and actions: arrow keys select, Enter runs, Escape closes. */
export function Palette({ onClose, onShortcuts }: PaletteProps) {
  const { t } = useTranslation('palette')
  const id = useId()
  const [typed, setTyped] = useState('')
  const [place, setPlace] = useState(0)
  const matching = matchCommands(useCommands(onShortcuts), typed)
  // In display order: group by group.
  const listed = groups.flatMap((group) => matching.filter((one) => one.group === group))
  const current = listed[Math.min(place, listed.length - 1)]
  const optionId = (command: Command) => `${id}-${command.id}`
  const currentId = current && optionId(current)
  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: listed.length - 1 }[event.key]
    if (next !== undefined && listed.length > 0) {
      event.preventDefault()
      setPlace((next + listed.length) % listed.length)
    } else if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) {
      event.preventDefault()
      run(current)
    }
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-x-4 top-[12vh] z-50 mx-auto flex max-h-[70vh] max-w-xl flex-col overflow-hidden rounded-panel border border-line bg-surface shadow-popup outline-none">
          <Dialog.Title className="sr-only">{t('palette.title')}</Dialog.Title>
          <div className="flex items-center gap-3 border-b px-4">
            <Search size={18} aria-hidden className="shrink-0 text-muted" />
            <input
              role="combobox"
              aria-label={t('palette.search')}
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={currentId}
              aria-autocomplete="list"
              autoComplete="off"
              spellCheck={false}
              placeholder={t('palette.search')}
              className="min-h-12 w-full bg-transparent text-[15px] outline-none placeholder:text-muted"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                setPlace(0)
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          <div id={`${id}-list`} role="listbox" aria-label={t('palette.title')} className="overflow-y-auto p-2">
            {groups.map((group) => (
              <Group key={group} title={t(`groups.${group}`)} commands={listed.filter((one) => one.group === group)}>
                {(command) => (
                  <Option
                    key={command.id}
                    id={optionId(command)}
                    command={command}
                    isCurrent={command === current}
                    onRun={run}
                  />
                )}
              </Group>
            ))}
          </div>
          <p role="status" className="px-5 pb-6 text-center text-muted empty:hidden">
            {listed.length === 0 && t('palette.none')}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface GroupProps {
  readonly title: string
  readonly commands: readonly Command[]
  children(command: Command): React.ReactNode
}

function Group({ title, commands, children }: GroupProps) {
  const id = useId()
  if (commands.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset.
    <div role="group" aria-labelledby={id}>
      <p id={id} className="px-3 pt-2 pb-1 text-xs font-semibold text-faint">
        {title}
      </p>
      {commands.map(children)}
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly command: Command
  readonly isCurrent: boolean
  onRun(command: Command): void
}

function Option({ id, command, isCurrent, onRun }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys, and names the option by aria-activedescendant.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className={classes(
        'flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 hover:bg-sunken pointer-coarse:min-h-11',
        isCurrent && '!bg-accent-soft !text-accent',
      )}
      onClick={() => onRun(command)}
    >
      <span className="min-w-0 flex-1">
        {/* Truncated at the end of its own text direction, whatever the direction of the page. */}
        <span dir="auto" className="block w-fit max-w-full truncate">
          {command.label}
        </span>
      </span>
      {command.note && <span className="num shrink-0 text-[13px] text-muted">{command.note}</span>}
    </div>
  )
}
