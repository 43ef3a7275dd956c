import type { ButtonHTMLAttributes } from 'react'
import { classes } from './classes.ts'

export type Look = 'primary' | 'plain' | 'ghost' | 'danger'

const looks: Readonly<Record<Look, string>> = {
  primary: 'border-accent bg-accent text-on-accent hover:bg-accent-hover hover:border-accent-hover',
  plain: 'border-line-strong bg-surface text-text hover:bg-sunken',
  ghost: 'border-transparent bg-transparent text-muted hover:bg-sunken hover:text-text',
  danger: 'border-transparent bg-transparent text-bad hover:bg-bad-soft',
}

const shape =
  'inline-flex items-center justify-center gap-2 rounded-control border font-medium whitespace-nowrap select-none transition-colors duration-150 disabled:opacity-50 disabled:pointer-events-none'

const sizes = {
  medium: 'min-h-9 px-3 py-1.5 text-sm pointer-coarse:min-h-11',
  small: 'min-h-8 px-2.5 py-1 text-[13px] pointer-coarse:min-h-11',
  icon: 'size-9 p-0 pointer-coarse:size-11',
  large: 'min-h-11 px-5 py-2 text-[15px]',
} as const

export type Size = keyof typeof sizes

/** The class names of a button, for links that look like buttons. */
export function buttonClass(look: Look = 'plain', size: Size = 'medium'): string {
  return classes(shape, looks[look], sizes[size])
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  readonly size?: Size
}

/** A button. One primary button per view. */
export function Button({ look, size, className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={classes(buttonClass(look, size), className)} {...rest} />
}
