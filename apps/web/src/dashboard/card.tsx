import type { ReactNode } from 'react'

/** A separate section of a page. */
export function Card({ children }: { readonly children: ReactNode }) {
  return <section className="overflow-hidden rounded-card border bg-surface shadow-card">{children}</section>
}

/** The placeholder of a list while it loads. */
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

/** An empty list, and what to do about it. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-1.5 px-6 py-14 text-center">
      <h2 className="text-[17px] font-semibold tracking-tight">{title}</h2>
      <p className="max-w-md text-pretty text-muted">{text}</p>
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
