import type { Task } from '@lathe/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { classes } from '../../ui/classes.ts'
import { StatusBadge } from '../status-badge.tsx'
import { describeTask } from './describe-job.ts'
import { type GraphNode, layOutGraph } from './lay-out-graph.ts'

const node = { width: 216, height: 68, gapX: 56, gapY: 14 } as const
const leftOf = ({ column }: GraphNode) => column * (node.width + node.gapX)
const topOf = ({ row }: GraphNode) => row * (node.height + node.gapY)

const borders: Partial<Record<Task['status'], string>> = { processing: 'border-info', failed: 'border-bad' }

interface JobGraphProps {
  readonly tasks: readonly Task[]
  onChoose(taskId: string): void
}

/** Which task waits for which. */
export function JobGraph({ tasks, onChoose }: JobGraphProps) {
  const { t } = useTranslation('dashboard')
  const { nodes, edges, columns, rows } = useMemo(() => layOutGraph(tasks), [tasks])
  const width = columns * (node.width + node.gapX) - node.gapX
  const height = rows * (node.height + node.gapY) - node.gapY
  return (
    <section
      aria-label={t('job.graph')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="max-h-[420px] overflow-auto p-5 -outline-offset-2"
    >
      <div className="relative" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true" className="absolute inset-0 rtl:-scale-x-100">
          {edges.map(({ from, to }) => (
            <path
              key={`${from.task.id} ${to.task.id}`}
              d={curve(from, to)}
              fill="none"
              strokeWidth="1.5"
              className="stroke-line-strong"
            />
          ))}
        </svg>
        <ul>
          {nodes.map((one) => (
            <Node key={one.task.id} one={one} tasks={tasks} onChoose={() => onChoose(one.task.id)} />
          ))}
        </ul>
      </div>
    </section>
  )
}

function curve(from: GraphNode, to: GraphNode): string {
  const [x1, y1] = [leftOf(from) + node.width, topOf(from) + node.height / 2]
  const [x2, y2] = [leftOf(to), topOf(to) + node.height / 2]
  const bend = (x1 + x2) / 2
  return `M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`
}

interface NodeProps {
  readonly one: GraphNode
  readonly tasks: readonly Task[]
  onChoose(): void
}

function Node({ one, tasks, onChoose }: NodeProps) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const { task } = one
  const before = tasks.filter(({ id }) => task.dependsOn.includes(id)).map(({ name }) => name)
  const percent = task.progress ? formats.percent(task.progress.percent / 100) : undefined
  return (
    <li
      className="absolute"
      style={{ insetInlineStart: leftOf(one), top: topOf(one), width: node.width, height: node.height }}
    >
      <button
        type="button"
        onClick={onChoose}
        className={classes(
          'grid size-full content-center gap-1 rounded-card border bg-surface px-3.5 text-start hover:bg-sunken',
          borders[task.status] ?? 'border-line-strong',
        )}
      >
        <span className="flex items-center justify-between gap-2">
          <bdi className="min-w-0 truncate font-medium">{task.name}</bdi>
          <StatusBadge status={task.status} note={percent} />
        </span>
        <bdi className="truncate text-[13px] text-muted">{describeTask(task)}</bdi>
        {before.length > 0 && <span className="sr-only">{t('job.after', { names: before.join(', ') })}</span>}
      </button>
    </li>
  )
}
