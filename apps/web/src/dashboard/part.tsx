import type { ReactNode } from 'react'
import { Card } from './card.tsx'

interface PartProps {
  readonly title: string
  readonly text?: string
  readonly action?: ReactNode
  readonly children?: ReactNode
}

/** A section of a page with its own heading. */
export function Part({ title, text, action, children }: PartProps) {
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-[17px] font-semibold tracking-tight">{title}</h2>
          {text && <p className="text-[13px] text-pretty text-muted">{text}</p>}
        </div>
        {action}
      </div>
      {children && <div className="border-t">{children}</div>}
    </Card>
  )
}
