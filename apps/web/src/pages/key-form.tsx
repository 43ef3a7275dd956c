import type { Account } from '@lathe/contract'
import { RequestError } from '@lathe/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { loadSession } from '../session/bearer.ts'
import { keptKey } from '../session/kept-key.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { useSubmit } from './use-submit.ts'

/** Asks for an API key and tests it. The key stays in this tab. */
export function KeyForm() {
  const { t } = useTranslation('entry')
  const [key, setKey] = useState('')
  const { submit, isBusy, fault } = useSubmit(
    () => tryKey(key.trim()),
    ({ status }) => (status === 401 ? t('signIn.keyWrong') : undefined),
  )
  return (
    <form onSubmit={submit} className="grid gap-4">
      <TextField
        label={t('signIn.key')}
        type="password"
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        value={key}
        error={fault}
        hint={t('signIn.keyHint')}
        onChange={({ target }) => setKey(target.value)}
      />
      <Button type="submit" look="primary" size="large" disabled={isBusy || key.trim() === ''}>
        {t('signIn.submit')}
      </Button>
    </form>
  )
}

async function tryKey(key: string): Promise<void> {
  keptKey.set(key)
  try {
    await call<Account>('/v1/account')
  } catch (cause) {
    // A key may be valid but only allow conversions.
    const isGood = cause instanceof RequestError && cause.errorCode === 'forbidden'
    if (!isGood) {
      keptKey.set(undefined)
      throw cause
    }
  }
  await loadSession()
}
