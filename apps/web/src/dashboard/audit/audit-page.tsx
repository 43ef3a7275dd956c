import type { AuditEntry, AuditName, AuditPage as Entries } from '@lathe/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { saveText } from '../../lib/save-text.ts'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Dotted } from '../dotted.tsx'
import { Moment } from '../moment.tsx'
import { Paging } from '../paging.tsx'
import { type AuditFilter, isNarrowed, parseAuditFilter, toAuditQuery } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { labelOf } from './audit-names.ts'
import { type ExportFormat, loadAll, toFile } from './export-audit.ts'
import { useAuditPeople } from './use-audit-people.ts'

const auditQuery = (filter: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', filter],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call<Entries>(`/v1/audit?${toAuditQuery(filter, 30)}`, { signal }),
  })

/** `/audit`: who did what to the account. */
export function AuditPage() {
  const { t } = useTranslation('dashboard')
  const search = useSearch({ from: '/audit' })
  const filter = useMemo(() => parseAuditFilter({ ...search }), [search])
  return (
    <DashboardPage
      title={t('audit.title')}
      text={t('audit.text')}
      action={
        <div className="flex flex-wrap gap-2">
          <ExportButton filter={filter} format="csv" label={t('audit.csv')} />
          <ExportButton filter={filter} format="jsonl" label={t('audit.jsonl')} />
        </div>
      }
    >
      <AuditParts filter={filter} />
    </DashboardPage>
  )
}

// Inside the page, which has the query client and renders this only for users who are signed in.
function AuditParts({ filter }: { readonly filter: AuditFilter }) {
  const { data } = useQuery(auditQuery(filter))
  const people = useAuditPeople(data?.names ?? [])
  return (
    <>
      <AuditFilters filter={filter} people={people} />
      <AuditList filter={filter} />
    </>
  )
}

interface ExportButtonProps {
  readonly filter: AuditFilter
  readonly format: ExportFormat
  readonly label: string
}

/** Exports all matching entries as a file. */
function ExportButton({ filter, format, label }: ExportButtonProps) {
  const { submit, isBusy, fault } = useSubmit(async () => {
    const type = format === 'csv' ? 'text/csv' : 'application/jsonl'
    saveText(`audit.${format}`, type, toFile(await loadAll(filter), format))
  })
  return (
    <div>
      <Button disabled={isBusy} onClick={submit}>
        <Download size={16} aria-hidden />
        {label}
      </Button>
      {fault && (
        <p role="alert" className="mt-1 text-[13px] text-bad">
          {fault}
        </p>
      )}
    </div>
  )
}

function AuditList({ filter }: { readonly filter: AuditFilter }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate({ from: '/audit' })
  const { data, error, isPending } = useQuery(auditQuery(filter))
  if (error) return <Notice tone="bad">{error.message}</Notice>
  const { after: _after, before: _before, ...narrowed } = filter
  return (
    <Card>
      {isPending && <RowsSkeleton rows={5} />}
      {data?.docs.length === 0 && (
        <Empty
          title={isNarrowed(filter) ? t('audit.noMatch') : t('audit.none')}
          text={isNarrowed(filter) ? t('audit.noMatchText') : t('audit.noneText')}
        />
      )}
      {data && data.docs.length > 0 && (
        <>
          <ul className="divide-y" aria-label={t('audit.title')}>
            {data.docs.map((entry) => (
              <EntryRow key={entry.id} entry={entry} names={data.names} />
            ))}
          </ul>
          <Paging page={data} onGo={(to) => void navigate({ search: { ...narrowed, ...to } })} />
        </>
      )}
    </Card>
  )
}

interface EntryRowProps {
  readonly entry: AuditEntry
  readonly names: readonly AuditName[]
}

function EntryRow({ entry, names }: EntryRowProps) {
  const { t } = useTranslation('dashboard')
  const { action, via, userId, subjectId, address, detail, createdAt } = entry
  const nameOf = (id: string) => {
    const known = names.find((name) => name.id === id)
    return known ? labelOf(known) : id
  }
  const details = Object.entries(detail).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return (
    <li className="grid gap-x-4 gap-y-1 px-5 py-3.5 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="min-w-0 break-words">
          <code className="font-mono text-[13px] font-medium">{action}</code>
          {details.length > 0 && (
            <span className="ms-2">
              <Dotted parts={details} />
            </span>
          )}
        </p>
        <p className="num text-[13px] break-words text-muted">
          <Dotted
            parts={[
              t(`auditWay.${via}`),
              address ?? undefined,
              userId ? t('audit.user', { id: nameOf(userId) }) : undefined,
              subjectId ? t('audit.subject', { id: nameOf(subjectId) }) : undefined,
            ]}
          />
        </p>
      </div>
      <p className="text-[13px] text-muted sm:text-end">
        <Moment at={createdAt} />
      </p>
    </li>
  )
}
