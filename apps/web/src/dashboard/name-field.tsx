import { TextField } from '../ui/field.tsx'

interface NameFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  onChange(name: string): void
}

/** The name of something the user owns, as the first field of a form. */
export function NameField({ onChange, ...field }: NameFieldProps) {
  return <TextField {...field} required autoFocus maxLength={100} onChange={({ target }) => onChange(target.value)} />
}
