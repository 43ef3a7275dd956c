import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '../../ui/button.tsx'

interface PagerProps {
  /** What is shown now, such as "Page 2 of 5". */
  readonly text: string
  readonly previous: string
  readonly next: string
  readonly at: number
  readonly count: number
  onChange(at: number): void
}

/** Goes through pages or files. Its buttons stay focusable at both ends, so that the keyboard does not lose its place. */
export function Pager({ text, previous, next, at, count, onChange }: PagerProps) {
  const step = (label: string, to: number, Icon: typeof ChevronLeft) => {
    const isPossible = to >= 0 && to < count
    return (
      <Button
        look="ghost"
        size="icon"
        aria-label={label}
        title={label}
        aria-disabled={!isPossible}
        className="aria-disabled:opacity-40"
        onClick={() => isPossible && onChange(to)}
      >
        <Icon size={18} aria-hidden className="rtl:-scale-x-100" />
      </Button>
    )
  }
  return (
    <div className="flex items-center gap-1">
      {step(previous, at - 1, ChevronLeft)}
      <span className="num min-w-20 text-center text-[13px] text-muted" aria-live="polite">
        {text}
      </span>
      {step(next, at + 1, ChevronRight)}
    </div>
  )
}
