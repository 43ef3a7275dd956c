import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/button.tsx'
import { knownTargets } from '../choosing.ts'
import type { Item, Kind } from '../item.ts'
import { OptionsDialog } from '../options/options-dialog.tsx'
import { commonTargets } from '../preferred-target.ts'
import { choose, converter, useChoices } from '../state.ts'
import { TargetPicker } from './target-picker.tsx'

/** The header of a kind: how many files there are, and their target. */
export function KindHead({ kind, ids }: { readonly kind: Kind; readonly ids: readonly string[] }) {
  const { t } = useTranslation('list')
  const formats = useFormats()
  const items = useStore(converter, (state) => state.items)
  const choice = useChoices()[kind]
  const [showsOptions, setShowsOptions] = useState(false)
  const own = ids.map((id) => items.get(id)).filter((item): item is Item => item !== undefined)
  const ready = own.filter(({ stage, source }) => stage === 'staged' && source !== '')
  const sources = [...new Set(ready.filter(({ target }) => target === undefined).map(({ source }) => source))]
  const known = useStore(knownTargets, (now) => now)
  const lists = sources.map((source) => known.get(source))
  const isKnown = lists.every((list) => list !== undefined)
  const targets = isKnown ? commonTargets(lists.filter((list) => list.length > 0)) : []
  const size = own.reduce((sum, item) => sum + item.size, 0)
  const { target } = choice ?? {}
  const amount = Object.keys(choice?.options ?? {}).length
  return (
    <div className="pt-7">
      <header className="flex min-h-[61px] flex-wrap items-center gap-x-3 gap-y-1 rounded-t-card border border-b-0 bg-surface px-3 py-2.5 sm:px-4">
        <h2 className="font-semibold">{t(`kind.${kind}`)}</h2>
        <span className="num text-muted">
          {t('list.files', { count: own.length })}
          {size > 0 && ` · ${formats.bytes(size)}`}
        </span>
        {sources.length > 0 && (
          <div className="ms-auto flex items-center gap-1.5">
            <span className="text-muted max-sm:sr-only" id={`to-${kind}`}>
              {t('list.convertTo')}
            </span>
            <TargetPicker
              label={t('list.targetOfKind', { kind: t(`kind.${kind}`) })}
              targets={targets}
              value={target}
              onChoose={(next) => choose(kind, { target: next })}
            />
            {kind !== 'page' && (
              <Button look="ghost" disabled={target === undefined} onClick={() => setShowsOptions(true)}>
                <SlidersHorizontal size={16} aria-hidden />
                <span className="max-sm:sr-only">{t('list.options')}</span>
                {amount > 0 && <span className="num text-accent">{formats.count(amount)}</span>}
              </Button>
            )}
          </div>
        )}
      </header>
      {showsOptions && target && (
        <OptionsDialog
          title={t('options.titleOfKind', { kind: t(`kind.${kind}`), target: target.toUpperCase() })}
          sources={sources}
          target={target}
          options={choice?.options ?? {}}
          onClose={() => setShowsOptions(false)}
          onApply={(options) => choose(kind, { target, options })}
        />
      )}
    </div>
  )
}
