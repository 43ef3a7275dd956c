import type { ReactNode } from 'react'
import { Logo } from '../ui/logo.tsx'

interface CardProps {
  readonly title: string
  readonly text?: string
  readonly children: ReactNode
}

/** A page that asks for one thing. */
export function CardPage({ title, text, children }: CardProps) {
  return (
    <div className="mx-auto grid max-w-[400px] px-4 pt-[8vh] pb-16">
      <title>{`${title} · Lathe`}</title>
      <div className="grid gap-6 rounded-panel border bg-surface px-6 py-7 shadow-card sm:px-8">
        <div>
          <Logo />
          <h1 className="mt-4 text-[22px] leading-tight font-semibold tracking-tight">{title}</h1>
          {text && <p className="mt-1.5 text-pretty text-muted">{text}</p>}
        </div>
        {children}
      </div>
    </div>
  )
}
