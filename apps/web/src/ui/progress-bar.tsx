import { classes } from './classes.ts'

interface ProgressBarProps {
  readonly label: string
  /** From 0 to 1; undefined if unknown. */
  readonly value: number | undefined
  readonly className?: string
}

/** A progress bar. */
export function ProgressBar({ label, value, className }: ProgressBarProps) {
  const percent = value === undefined ? undefined : Math.round(value * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={classes('h-1.5 w-full overflow-hidden rounded-full bg-sunken', className)}
    >
      <div
        className={classes(
          'h-full rounded-full bg-accent transition-[width] duration-200',
          percent === undefined && 'animate-pulse opacity-60',
        )}
        style={{ width: percent === undefined ? '100%' : `${percent}%` }}
      />
    </div>
  )
}
