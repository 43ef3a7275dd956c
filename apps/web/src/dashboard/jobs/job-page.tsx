import type { Job, Task } from '@lathe/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.ts'
import { useFormats } from '../../lib/formats.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { Copyable } from '../copyable.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Fact, Facts } from '../facts.tsx'
import { useNow } from '../moment.tsx'
import { Part } from '../part.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { useAccountEvents } from '../use-account-events.ts'
import { useSeconds } from '../use-seconds.ts'
import { useSignedIn } from '../use-signed-in.ts'
import { describeJob, progressOf, secondsOf } from './describe-job.ts'
import { findCause, useFailureText } from './failure-text.ts'
import { JobActions } from './job-actions.tsx'
import { hasGaps, toCurl, toTypeScript } from './job-code.ts'
import { JobGraph } from './job-graph.tsx'
import { jobQuery, takeJob, takeTask } from './queries.ts'
import { Receipt } from './receipt.tsx'
import { TaskDetails } from './task-details.tsx'
import { Timeline } from './timeline.tsx'

/** `/jobs/:id`: one job, updated live, or the receipt of its deletion. */
export function JobPage() {
  const { jobId } = useParams({ from: '/jobs/$jobId' })
  return <JobOf key={jobId} id={jobId} />
}

function JobOf({ id }: { readonly id: string }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const { data, error } = useQuery({ ...jobQuery(id), enabled: useSignedIn() }, queries)
  const above = (
    <p className="mb-1 flex flex-wrap gap-x-2 text-[13px] text-muted">
      <Link to="/jobs" className="rounded-control underline underline-offset-2 hover:text-text">
        {t('jobs.title')}
      </Link>
      <code dir="ltr" className="font-mono break-all">
        {id}
      </code>
    </p>
  )
  if (data?.kind === 'job') {
    const { job } = data
    const note = job.status === 'processing' ? formats.percent(progressOf(job)) : undefined
    return (
      <DashboardPage
        title={job.tag ?? (describeJob(job) || t('job.title'))}
        above={above}
        badge={<StatusBadge status={job.status} note={note} />}
        action={<JobActions job={job} />}
      >
        <Live id={id} />
        <JobParts job={job} />
      </DashboardPage>
    )
  }
  const back = (
    <Link to="/jobs" className={buttonClass()}>
      {t('job.back')}
    </Link>
  )
  return (
    <DashboardPage
      title={t('job.title')}
      above={above}
      badge={data?.kind === 'deleted' && <StatusBadge status="deleted" />}
    >
      {error && <Notice tone="bad">{error.message}</Notice>}
      {!data && !error && <RowsSkeleton rows={6} />}
      {data?.kind === 'deleted' && <Receipt jobId={id} tasks={data.tasks} />}
      {data?.kind === 'unknown' && (
        <Card>
          <Empty title={t('job.unknown')} text={t('job.unknownText')} action={back} />
        </Card>
      )}
    </DashboardPage>
  )
}

/** Follows the job while it is shown. */
function Live({ id }: { readonly id: string }) {
  useAccountEvents(
    ({ type, data }) => {
      if ('job' in data) return data.job.id !== id || takeJob(data.job)
      if (data.task.job !== id) return true
      takeTask(data.task)
      return type !== 'task.deleted'
    },
    () => void queries.invalidateQueries({ queryKey: jobQuery(id).queryKey }),
  )
  return null
}

function JobParts({ job }: { readonly job: Job }) {
  const { t } = useTranslation('dashboard')
  const { tasks = [] } = job
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(findCause(tasks)?.id ? [findCause(tasks)?.id ?? ''] : []),
  )
  const toggle = (id: string, isOpen: boolean) =>
    setOpen((before) => (isOpen ? before.union(new Set([id])) : before.difference(new Set([id]))))
  const choose = (id: string) => {
    toggle(id, true)
    const row = document.getElementById(`task-${id}`)
    row?.querySelector('summary')?.focus()
    row?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <Cause cause={findCause(tasks)} />
      <JobFacts job={job} />
      <Part title={t('job.graph')}>
        <JobGraph tasks={tasks} onChoose={choose} />
      </Part>
      <Part title={t('job.timeline')}>
        <Timeline tasks={tasks} />
      </Part>
      <Part title={t('job.tasks')}>
        <ul className="divide-y">
          {tasks.map((task) => (
            <TaskDetails
              key={task.id}
              task={task}
              isOpen={open.has(task.id)}
              onToggle={(isOpen) => toggle(task.id, isOpen)}
            />
          ))}
        </ul>
      </Part>
      <Part title={t('job.code')}>
        <div className="grid gap-5 px-5 py-5">
          {hasGaps(job) && <Notice tone="info">{t('job.gaps')}</Notice>}
          <Copyable label="curl" name={t('job.asCurl')} text={toCurl(job, location.origin)} />
          <Copyable label="TypeScript" name={t('job.asTypeScript')} text={toTypeScript(job, location.origin)} />
        </div>
      </Part>
    </>
  )
}

function Cause({ cause }: { readonly cause: Task | undefined }) {
  const text = useFailureText(cause)
  if (!cause || text === undefined) return null
  return (
    <Notice tone="bad">
      <bdi className="font-medium">{cause.name}</bdi>: {text}
    </Notice>
  )
}

function JobFacts({ job }: { readonly job: Job }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const inSeconds = useSeconds()
  const seconds = secondsOf(job, useNow(1000))
  const tasks = job.tasks ?? []
  const done = tasks.filter(({ status }) => status === 'completed').length
  const expiries = tasks.flatMap(({ result }) => result.expiresAt ?? []).toSorted()
  const expires = expiries[0] && new Date(expiries[0])
  return (
    <Facts>
      <Fact
        label={t('job.created')}
        value={formats.relative(new Date(job.createdAt))}
        note={formats.exact(new Date(job.createdAt))}
      />
      <Fact
        label={t('job.elapsed')}
        value={seconds === undefined ? '–' : inSeconds(seconds)}
        note={job.endedAt ? t('job.ended') : t('job.running')}
      />
      <Fact
        label={t('job.done')}
        value={`${formats.count(done)} / ${formats.count(tasks.length)}`}
        note={t('job.doneNote')}
      />
      <Fact
        label={t('job.expires')}
        value={expires ? formats.relative(expires) : '–'}
        note={expires ? formats.exact(expires) : t('job.noFiles')}
      />
    </Facts>
  )
}
