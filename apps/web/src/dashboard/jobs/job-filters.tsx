import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { isNarrowed, type JobFilter, jobStatuses, parseJobFilter, spans } from './job-filter.ts'

/** The filters of the list. They are in the URL, so that a list can be bookmarked and shared. */
export function JobFilters({ filter }: { readonly filter: JobFilter }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate({ from: '/jobs' })
  const [tag, setTag] = useState(filter.tag ?? '')
  const narrow = (change: Readonly<Record<string, string>>) => {
    const { after: _after, before: _before, ...kept } = filter
    void navigate({ search: parseJobFilter({ ...kept, ...change }), replace: true })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    narrow({ tag })
  }
  const reset = () => {
    setTag('')
    void navigate({ search: {}, replace: true })
  }
  return (
    <form
      onSubmit={submit}
      aria-label={t('jobs.filters')}
      className="grid items-end gap-3 min-[420px]:grid-cols-2 sm:flex sm:flex-wrap sm:[&>div]:w-44"
    >
      <SelectField
        label={t('jobs.status')}
        value={filter.status ?? ''}
        onChange={({ target }) => narrow({ status: target.value })}
      >
        <option value="">{t('jobs.anyStatus')}</option>
        {jobStatuses.map((status) => (
          <option key={status} value={status}>
            {t(`status.${status}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('jobs.time')}
        value={filter.span ?? ''}
        onChange={({ target }) => narrow({ span: target.value })}
      >
        <option value="">{t('jobs.day')}</option>
        {spans.map((span) => (
          <option key={span} value={span}>
            {t(`span.${span}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('jobs.tag')}
        type="search"
        enterKeyHint="search"
        value={tag}
        placeholder={t('jobs.tagHint')}
        onChange={({ target }) => setTag(target.value)}
        onBlur={() => tag !== (filter.tag ?? '') && narrow({ tag })}
      />
      {isNarrowed(filter) && (
        <Button look="ghost" onClick={reset}>
          {t('jobs.reset')}
        </Button>
      )}
    </form>
  )
}
