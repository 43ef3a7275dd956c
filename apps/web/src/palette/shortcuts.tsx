import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'

const groups = [
  {
    name: 'everywhere',
    keys: [
      ['palette', ['Mod', 'K']],
      ['help', ['?']],
      ['close', ['Esc']],
    ],
  },
  {
    name: 'converter',
    keys: [
      ['paste', ['Mod', 'V']],
      ['convert', ['Mod', 'Enter']],
    ],
  },
  {
    name: 'lists',
    keys: [
      ['move', ['↑', '↓']],
      ['ends', ['Home', 'End']],
      ['choose', ['Enter']],
    ],
  },
  {
    name: 'tools',
    keys: [
      ['order', ['↑', '↓']],
      ['frame', ['←', '→', '↑', '↓']],
      ['size', ['Shift', '←', '→']],
      ['fine', ['Ctrl', '←', '→']],
    ],
  },
] as const

// `Mod` is the key that shortcuts of the system use.
const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** All keyboard shortcuts of the web app. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('palette')
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-4 z-50 m-auto flex h-fit max-h-[calc(100dvh-2rem)] max-w-lg flex-col overflow-hidden rounded-panel border border-line bg-surface shadow-popup outline-none">
          <div className="flex items-center gap-3 border-b px-5 py-3.5">
            <Dialog.Title className="flex-1 text-[17px] leading-6 font-semibold tracking-tight">
              {t('shortcuts.title')}
            </Dialog.Title>
            <Dialog.Close render={<Button look="ghost" size="icon" aria-label={t('shortcuts.closeThis')} />}>
              <X size={18} aria-hidden />
            </Dialog.Close>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <div tabIndex={0} className="grid content-start gap-5 overflow-y-auto px-5 py-5">
            {groups.map(({ name, keys }) => (
              <section key={name} aria-labelledby={`shortcuts-${name}`}>
                <h3 id={`shortcuts-${name}`} className="text-xs font-semibold text-faint">
                  {t(`shortcutGroups.${name}`)}
                </h3>
                <dl className="mt-1 divide-y">
                  {keys.map(([action, combination]) => (
                    <div key={action} className="flex items-center justify-between gap-4 py-2">
                      <dt>{t(`shortcutNames.${action}`)}</dt>
                      <dd dir="ltr" className="flex shrink-0 gap-1">
                        {combination.map((key) => (
                          <kbd
                            key={key}
                            className="min-w-7 rounded-control border bg-sunken px-1.5 py-0.5 text-center font-mono text-xs"
                          >
                            {key === 'Mod' ? modifier : key}
                          </kbd>
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
