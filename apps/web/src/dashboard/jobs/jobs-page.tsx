import type { Event } from '@lathe/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { LiveBadge } from '../live-badge.tsx'
import { Paging } from '../paging.tsx'
import { useAccountEvents } from '../use-account-events.ts'
import { isNarrowed, type JobFilter, parseJobFilter } from './job-filter.ts'
import { JobFilters } from './job-filters.tsx'
import { JobRow } from './job-row.tsx'
import { jobsQuery, takeJob, takeTask } from './queries.ts'

/** `/jobs`: the jobs of the last 24 hours, updated live. */
export function JobsPage() {
  const { t } = useTranslation('dashboard')
  const search = useSearch({ from: '/jobs' })
  const filter = useMemo(() => parseJobFilter({ ...search }), [search])
  return (
    <DashboardPage title={t('jobs.title')} text={t('jobs.text')} badge={<LiveBadge />}>
      <JobFilters key={filter.tag ?? ''} filter={filter} />
      <JobList filter={filter} />
    </DashboardPage>
  )
}

function JobList({ filter }: { readonly filter: JobFilter }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate({ from: '/jobs' })
  const { data, error, isPending, refetch } = useQuery(jobsQuery(filter))
  useAccountEvents(
    (event) => takeEvent(event, filter),
    () => void queries.invalidateQueries({ queryKey: ['jobs'] }),
  )
  const again = <Button onClick={() => void refetch()}>{t('jobs.retry')}</Button>
  if (error)
    return (
      <Notice tone="bad" action={again}>
        {error.message}
      </Notice>
    )
  const { after: _after, before: _before, ...narrowed } = filter
  return (
    <Card>
      {isPending && <RowsSkeleton rows={6} />}
      {data?.docs.length === 0 && <NoJobs isNarrowed={isNarrowed(filter)} />}
      {data && data.docs.length > 0 && (
        <>
          <ul className="divide-y" aria-label={t('jobs.title')}>
            {data.docs.map((job) => (
              <JobRow key={job.id} job={job} />
            ))}
          </ul>
          <Paging page={data} onGo={(to) => void navigate({ search: { ...narrowed, ...to } })} />
        </>
      )}
    </Card>
  )
}

/** Applies an event to the shown jobs. False if the list itself may have changed. */
function takeEvent({ type, data }: Event, { status }: JobFilter): boolean {
  if ('task' in data) {
    takeTask(data.task)
    return type !== 'task.deleted'
  }
  return takeJob(data.job) && status === undefined
}

function NoJobs({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { t } = useTranslation('dashboard')
  if (isNarrowed) return <Empty title={t('jobs.noMatch')} text={t('jobs.noMatchText')} />
  const actions = (
    <div className="flex flex-wrap justify-center gap-2">
      <Link to="/" className={buttonClass('primary')}>
        {t('jobs.convert')}
      </Link>
      <a href="/docs" className={buttonClass()}>
        {t('jobs.docs')}
      </a>
    </div>
  )
  return <Empty title={t('jobs.none')} text={t('jobs.noneText')} action={actions} />
}
