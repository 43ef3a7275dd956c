import type { ReactNode } from 'react'

/** The area that a result is shown in: as high while it loads as after. */
export function Frame({
  isLoading = false,
  children,
}: {
  readonly isLoading?: boolean
  readonly children?: ReactNode
}) {
  return (
    <div
      className="grid min-h-[40dvh] place-items-center overflow-hidden rounded-card border bg-sunken"
      aria-busy={isLoading}
    >
      {isLoading ? <div className="skeleton h-[40dvh] w-full" aria-hidden="true" /> : children}
    </div>
  )
}
