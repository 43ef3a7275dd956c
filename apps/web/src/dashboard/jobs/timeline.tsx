import type { Task } from '@lathe/contract'
import { useTranslation } from 'react-i18next'
import { Dotted } from '../dotted.tsx'
import { useNow } from '../moment.tsx'
import { useSeconds } from '../use-seconds.ts'
import { type Phase, phasesOf, type TaskTimes, timesOf, workPhases } from './task-times.ts'

const colors: Readonly<Record<Phase['kind'], string>> = { fetch: 'bg-info', engine: 'bg-accent', store: 'bg-ok' }

/** How long each task waited for a worker, and how long each phase of its work took. */
export function Timeline({ tasks }: { readonly tasks: readonly Task[] }) {
  const { t } = useTranslation('dashboard')
  const now = useNow(1000)
  const lanes = tasks.flatMap((task) => {
    const times = timesOf(task, tasks, now)
    return times ? [{ task, times }] : []
  })
  const first = Math.min(...lanes.map(({ times }) => times.readyAt))
  const length = Math.max(1, Math.max(...lanes.map(({ times }) => times.endedAt)) - first)
  return (
    <div className="grid gap-3 px-5 py-4">
      <p aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-muted">
        <Legend color="bg-line-strong" text={t('job.queued')} />
        {workPhases.map((kind) => (
          <Legend key={kind} color={colors[kind]} text={t(`job.phase.${kind}`)} />
        ))}
        <Legend color="bg-faint" text={t('job.worked')} />
      </p>
      <ul
        aria-label={t('job.timeline')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="grid max-h-96 gap-2.5 overflow-y-auto"
      >
        {lanes.map(({ task, times }) => (
          <Lane key={task.id} task={task} times={times} first={first} length={length} />
        ))}
      </ul>
    </div>
  )
}

function Legend({ color, text }: { readonly color: string; readonly text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`size-2.5 rounded-[3px] ${color}`} />
      <span className="inline-block first-letter:uppercase">{text}</span>
    </span>
  )
}

interface LaneProps {
  readonly task: Task
  readonly times: TaskTimes
  readonly first: number
  readonly length: number
}

function Lane({ task, times, first, length }: LaneProps) {
  const { t } = useTranslation('dashboard')
  const inSeconds = useSeconds()
  const { readyAt, startedAt, endedAt, hasEnded } = times
  const place = (from: number, to: number) => ({
    insetInlineStart: `${((from - first) / length) * 100}%`,
    // Very short phases stay visible.
    width: to > from ? `max(2px, ${((to - from) / length) * 100}%)` : 0,
  })
  const [waited, worked] = [(startedAt - readyAt) / 1000, (endedAt - startedAt) / 1000]
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 sm:grid-cols-[140px_minmax(0,1fr)_190px]">
      <bdi className="truncate">{task.name}</bdi>
      <span
        aria-hidden="true"
        className="relative block h-3 overflow-hidden rounded bg-sunken max-sm:order-last max-sm:col-span-2"
      >
        <span className="absolute inset-y-0 bg-line-strong" style={place(readyAt, startedAt)} />
        <span className="absolute inset-y-0 bg-faint" style={place(startedAt, endedAt)} />
        {phasesOf(task, times).map(({ kind, from, to }) => (
          <span key={kind} className={`absolute inset-y-0 ${colors[kind]}`} style={place(from, to)} />
        ))}
      </span>
      <span className="num text-end text-[13px] text-muted">
        {t('job.waited', { time: inSeconds(waited) })} · {inSeconds(worked)}
        {!hasEnded && '…'}
      </span>
      {task.times && (
        <span className="num col-span-full text-[13px] text-muted sm:col-start-2">
          <Phases times={task.times} />
        </span>
      )}
    </li>
  )
}

function Phases({ times }: { readonly times: NonNullable<Task['times']> }) {
  const { t } = useTranslation('dashboard')
  const inSeconds = useSeconds()
  const kinds = ['queue', ...workPhases] as const
  return <Dotted parts={kinds.map((kind) => `${t(`job.phase.${kind}`)} ${inSeconds(times[`${kind}Ms`] / 1000)}`)} />
}
