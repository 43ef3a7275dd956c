import type { RequestError } from '@lathe/sdk'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/field.tsx'

interface AddressesFieldProps {
  readonly value: string
  readonly autoFocus?: boolean
  onChange(text: string): void
}

/** A field for IP addresses and ranges; empty for any. */
export function AddressesField({ onChange, ...rest }: AddressesFieldProps) {
  const { t } = useTranslation('dashboard')
  return (
    <TextField
      label={t('keys.ips')}
      hint={t('keys.ipsHint')}
      autoComplete="off"
      spellCheck={false}
      dir="ltr"
      onChange={({ target }) => onChange(target.value)}
      {...rest}
    />
  )
}

/** The addresses and ranges in a text. */
export function readAddresses(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

/** Whether a request was refused because what was typed is no list of addresses. */
export function hasBadAddresses({ errors }: Pick<RequestError, 'errors'>): boolean {
  return errors.some(({ path, code }) => path.startsWith('allowedIps') && code === 'invalid')
}
