import type { Job } from '@lathe/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Dotted } from '../dotted.tsx'
import { Moment } from '../moment.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { useSeconds } from '../use-seconds.ts'
import { describeJob, progressOf, secondsOf } from './describe-job.ts'

/** One job of the list: the whole row is a link. */
export function JobRow({ job }: { readonly job: Job }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const inSeconds = useSeconds()
  const { id, tag, status, createdAt, tasks = [] } = job
  const what = describeJob(job)
  const seconds = job.endedAt === null ? undefined : secondsOf(job, new Date())
  const facts = [
    tag === null ? undefined : what,
    t('jobs.tasks', { count: tasks.length }),
    seconds === undefined ? undefined : inSeconds(seconds),
  ]
  const note = status === 'processing' ? formats.percent(progressOf(job)) : undefined
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3.5 hover:bg-sunken/50">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex items-baseline gap-2.5">
          <Link
            to="/jobs/$jobId"
            params={{ jobId: id }}
            dir="auto"
            className="min-w-0 truncate rounded-control font-medium after:absolute after:inset-0"
          >
            <bdi>{tag ?? (what || id)}</bdi>
          </Link>
          <code dir="ltr" className="shrink-0 font-mono text-xs text-faint max-sm:hidden">
            {id}
          </code>
        </p>
        <p className="num truncate text-[13px] text-muted">
          <Dotted parts={facts} />
        </p>
      </div>
      <div className="flex items-center gap-3 text-[13px] text-muted">
        <StatusBadge status={status} note={note} />
        <span className="min-w-24 text-end max-sm:min-w-0">
          <Moment at={createdAt} />
        </span>
      </div>
    </li>
  )
}
