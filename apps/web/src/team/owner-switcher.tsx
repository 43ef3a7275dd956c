import { ChevronsUpDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Owner } from '../session/session.ts'
import { actFor } from './act-for.ts'

interface OwnerSwitcherProps {
  readonly owners: readonly Owner[]
  readonly current: Owner
}

/** Selects the owner the page acts for: the user, or a team. A native select, as for languages. */
export function OwnerSwitcher({ owners, current }: OwnerSwitcherProps) {
  const { t } = useTranslation('team')
  return (
    <div className="relative inline-flex min-h-9 max-w-44 items-center gap-1.5 rounded-control px-2 text-muted focus-within:outline-2 focus-within:outline-accent hover:bg-sunken hover:text-text pointer-coarse:min-h-11 max-sm:max-w-28">
      <bdi className="truncate">{current.name}</bdi>
      <ChevronsUpDown size={14} aria-hidden className="shrink-0" />
      <select
        aria-label={t('actFor')}
        title={t('actFor')}
        value={current.id}
        onChange={({ target }) => void actFor(target.value).catch(() => undefined)}
        className="absolute inset-0 cursor-pointer opacity-0"
      >
        {owners.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
