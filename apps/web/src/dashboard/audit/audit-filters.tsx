import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { type AuditFilter, auditActions, isNarrowed, parseAuditFilter } from './audit-filter.ts'
import { labelOf } from './audit-names.ts'
import type { AuditPerson } from './use-audit-people.ts'

interface AuditFiltersProps {
  readonly filter: AuditFilter
  readonly people: readonly AuditPerson[]
}

/** The filters of the audit log. They are in the URL, so that a view can be bookmarked and shared. */
export function AuditFilters({ filter, people }: AuditFiltersProps) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate({ from: '/audit' })
  const narrow = (change: Readonly<Record<string, string>>) => {
    const { after: _after, before: _before, ...kept } = filter
    void navigate({ search: parseAuditFilter({ ...kept, ...change }), replace: true })
  }
  return (
    <form
      aria-label={t('audit.filters')}
      onSubmit={(event) => event.preventDefault()}
      className="grid items-end gap-3 sm:flex sm:flex-wrap sm:[&>div]:w-48"
    >
      <SelectField
        label={t('audit.action')}
        value={filter.action ?? ''}
        onChange={({ target }) => narrow({ action: target.value })}
      >
        <option value="">{t('audit.anyAction')}</option>
        {auditActions.map((action) => (
          <option key={action} value={action}>
            {action}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('audit.person')}
        value={filter.user ?? ''}
        onChange={({ target }) => narrow({ user: target.value })}
      >
        <option value="">{t('audit.anyPerson')}</option>
        {filter.user && !people.some(({ id }) => id === filter.user) && (
          <option value={filter.user}>{filter.user}</option>
        )}
        {people.map((person) => (
          <option key={person.id} value={person.id}>
            {labelOf(person)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('audit.from')}
        type="date"
        value={filter.from ?? ''}
        onChange={({ target }) => narrow({ from: target.value })}
      />
      <TextField
        label={t('audit.to')}
        type="date"
        value={filter.to ?? ''}
        onChange={({ target }) => narrow({ to: target.value })}
      />
      {isNarrowed(filter) && (
        <Button look="ghost" onClick={() => void navigate({ search: {}, replace: true })}>
          {t('jobs.reset')}
        </Button>
      )}
    </form>
  )
}
