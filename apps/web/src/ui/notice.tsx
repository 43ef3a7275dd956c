import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface NoticeProps {
  readonly tone: 'bad' | 'warn' | 'info'
  readonly children: ReactNode
  readonly action?: ReactNode
}

const tones = { bad: 'bg-bad-soft text-bad', warn: 'bg-warn-soft text-warn', info: 'bg-info-soft text-info' }

/** A notice for the whole page, with an action. */
export function Notice({ tone, children, action }: NoticeProps) {
  const Icon = tone === 'info' ? Info : CircleAlert
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classes('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card px-4 py-3', tones[tone])}
    >
      <Icon size={18} aria-hidden className="shrink-0" />
      <div className="min-w-0 flex-1 basis-48 text-pretty break-words">{children}</div>
      {action}
    </div>
  )
}
