import type { ReactNode } from 'react'

/** Numbers in a row, separated by lines. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid overflow-hidden rounded-card border bg-surface shadow-card grid-cols-2 lg:grid-cols-4 [&>div]:-ms-px [&>div]:-mt-px [&>div]:border-s [&>div]:border-t">
      {children}
    </dl>
  )
}

interface FactProps {
  readonly label: string
  readonly value: string
  readonly note: string
}

export function Fact({ label, value, note }: FactProps) {
  return (
    <div className="px-5 py-4">
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd className="num mt-0.5 text-[17px] font-semibold">{value}</dd>
      <dd className="text-[13px] text-muted">{note}</dd>
    </div>
  )
}
