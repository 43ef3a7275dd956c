import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

/** The class names of all text inputs. */
export const inputClass =
  'min-h-9 w-full rounded-control border border-line-strong bg-surface px-3 py-1.5 text-sm text-text pointer-coarse:min-h-11 pointer-coarse:text-base focus-visible:outline-offset-0 aria-invalid:border-bad'

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
}

/** A labeled input with its hint and error. */
export function TextField({ label, hint, error, className, ...rest }: TextFieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={classes(inputClass, className)}
        {...rest}
      />
      {note && (
        <p id={`${id}-note`} className={classes('text-[13px]', error ? 'text-bad' : 'text-muted')}>
          {note}
        </p>
      )}
    </div>
  )
}
