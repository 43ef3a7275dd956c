import type { Task } from '@lathe/contract'
import { useTranslation } from 'react-i18next'
import { useNow } from '../moment.tsx'
import { useSeconds } from '../use-seconds.ts'
import { type TaskTimes, timesOf } from './task-times.ts'

/** How long each task waited for a worker, and how long it was worked on. */
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
      <p aria-hidden="true" className="flex gap-4 text-[13px] text-muted">
        <Legend color="bg-line-strong" text={t('job.queued')} />
        <Legend color="bg-accent" text={t('job.worked')} />
      </p>
      <ul className="grid max-h-96 gap-2.5 overflow-y-auto">
        {lanes.map(({ task, times }) => (
          <Lane key={task.id} name={task.name} times={times} first={first} length={length} />
        ))}
      </ul>
    </div>
  )
}

function Legend({ color, text }: { readonly color: string; readonly text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`size-2.5 rounded-[3px] ${color}`} />
      {text}
    </span>
  )
}

interface LaneProps {
  readonly name: string
  readonly times: TaskTimes
  readonly first: number
  readonly length: number
}

function Lane({ name, times, first, length }: LaneProps) {
  const { t } = useTranslation('dashboard')
  const inSeconds = useSeconds()
  const { readyAt, startedAt, endedAt, hasEnded } = times
  const place = (from: number, to: number) => ({
    insetInlineStart: `${((from - first) / length) * 100}%`,
    // What is too short to see is there all the same.
    width: to > from ? `max(2px, ${((to - from) / length) * 100}%)` : 0,
  })
  const [waited, worked] = [(startedAt - readyAt) / 1000, (endedAt - startedAt) / 1000]
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 sm:grid-cols-[140px_minmax(0,1fr)_190px]">
      <bdi className="truncate">{name}</bdi>
      <span
        aria-hidden="true"
        className="relative block h-3 overflow-hidden rounded bg-sunken max-sm:order-last max-sm:col-span-2"
      >
        <span className="absolute inset-y-0 bg-line-strong" style={place(readyAt, startedAt)} />
        <span className="absolute inset-y-0 bg-accent" style={place(startedAt, endedAt)} />
      </span>
      <span className="num text-end text-[13px] text-muted">
        {t('job.waited', { time: inSeconds(waited) })} · {inSeconds(worked)}
        {!hasEnded && '…'}
      </span>
    </li>
  )
}
