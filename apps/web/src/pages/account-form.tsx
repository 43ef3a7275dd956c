import type { RequestError } from '@lathe/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { useSubmit } from './use-submit.ts'

/** The data of a new account. */
export interface NewPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

interface AccountFormProps {
  /** The address, if it cannot be chosen. */
  readonly email?: string | undefined
  onSubmit(person: NewPerson): Promise<unknown>
  explain(error: RequestError): string | undefined
}

/** Name, email address and password of a new account. */
export function AccountForm({ email: given = '', onSubmit, explain }: AccountFormProps) {
  const { t } = useTranslation('entry')
  const [name, setName] = useState('')
  const [email, setEmail] = useState(given)
  const [password, setPassword] = useState('')
  const { submit, isBusy, fault } = useSubmit(() => onSubmit({ name, email, password }), explain)
  return (
    <form onSubmit={submit} className="grid gap-4">
      {fault && <Notice tone="bad">{fault}</Notice>}
      <TextField
        label={t('setup.name')}
        required
        autoFocus
        autoComplete="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t('signIn.email')}
        type="email"
        required
        autoComplete="username"
        readOnly={given !== ''}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <TextField
        label={t('signIn.password')}
        type="password"
        required
        minLength={10}
        autoComplete="new-password"
        hint={t('setup.passwordHint')}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" look="primary" size="large" disabled={isBusy}>
        {t('setup.submit')}
      </Button>
    </form>
  )
}
