import { ChevronDown } from 'lucide-react'
import { type SelectHTMLAttributes, useId } from 'react'
import { classes } from './classes.ts'
import { inputClass } from './field.tsx'

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string
}

/** A labeled native select. */
export function SelectField({ label, className, children, ...rest }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      <div className="relative">
        <select id={id} className={classes(inputClass, 'appearance-none truncate pe-9', className)} {...rest}>
          {children}
        </select>
        <ChevronDown
          size={16}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 end-3 my-auto text-muted"
        />
      </div>
    </div>
  )
}
