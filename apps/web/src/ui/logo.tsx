/** The logo: a workpiece on a lathe, seen from the end. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" className="size-6 shrink-0" aria-hidden="true">
      <circle cx="12" cy="12" r="8" fill="none" className="stroke-accent-soft" strokeWidth="7.5" />
      <path d="M12 4a8 8 0 1 1-6.93 12" fill="none" className="stroke-accent" strokeWidth="7.5" />
    </svg>
  )
}
