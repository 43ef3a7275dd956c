import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info'

const tones: Readonly<Record<Tone, string>> = {
  plain: 'bg-sunken text-muted',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
}

/** A short word for a state: always a word, never color alone. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={classes(
        'num inline-flex max-w-full whitespace-nowrap items-center gap-1.5 rounded-full px-2 py-0.5 text-xs leading-[18px] font-medium',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
