import type { ReactNode } from 'react'

/** A part of a page that stands for itself. */
export function Card({ children }: { readonly children: ReactNode }) {
  return <section className="overflow-hidden rounded-card border bg-surface shadow-card">{children}</section>
}

/** What a list shows while it is loaded. */
export function RowsSkeleton({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div aria-hidden="true" className="grid gap-4 px-5 py-5">
      {Array.from({ length: rows }, (_, n) => `row ${n}`).map((name) => (
        <div key={name} className="skeleton h-9" />
      ))}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly text: string
  readonly action?: ReactNode
}

/** A list with nothing on it, and what to do about that. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-1.5 px-6 py-14 text-center">
      <h2 className="text-[17px] font-semibold tracking-tight">{title}</h2>
      <p className="max-w-md text-pretty text-muted">{text}</p>
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
