import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/field.tsx'

interface CurrentPasswordProps {
  readonly value: string
  readonly autoFocus?: boolean
  onChange(password: string): void
}

/** Asks for the password of the account again. */
export function CurrentPassword({ onChange, ...field }: CurrentPasswordProps) {
  const { t } = useTranslation('dashboard')
  return (
    <TextField
      {...field}
      label={t('password.current')}
      type="password"
      required
      autoComplete="current-password"
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
