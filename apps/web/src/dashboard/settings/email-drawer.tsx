import type { RequestError } from '@lathe/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callAuth } from '../../session/auth-client.ts'
import { loadSession } from '../../session/bearer.ts'
import type { Session } from '../../session/session.ts'
import { TextField } from '../../ui/field.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { CurrentPassword } from '../security/current-password.tsx'
import { useAuthFault } from '../security/use-auth-fault.ts'

interface EmailDrawerProps {
  readonly user: NonNullable<Session['user']>
  onClose(): void
}

/** Changes the email address, and asks for the password to confirm the user's identity. */
export function EmailDrawer({ user, onClose }: EmailDrawerProps) {
  const { t } = useTranslation('dashboard')
  const [email, setEmail] = useState(user.email)
  const [current, setCurrent] = useState('')
  const save = async () => {
    await callAuth('account', { email: email.trim(), ...(user.hasPassword && { current }) }, 'PATCH')
    await loadSession()
    onClose()
  }
  const isReady = email.trim() !== '' && email.trim() !== user.email
  const explain = useEmailFault()
  return (
    <Drawer title={t('settings.changeEmail')} onClose={onClose}>
      <DrawerForm label={t('common.save')} isReady={isReady} onSubmit={save} explain={explain}>
        <TextField
          label={t('settings.email')}
          hint={t('settings.emailHint')}
          type="email"
          required
          autoFocus
          maxLength={254}
          autoComplete="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        {user.hasPassword && <CurrentPassword value={current} onChange={setCurrent} />}
      </DrawerForm>
    </Drawer>
  )
}

/** Explains an address that is taken or malformed; other errors are those of any account change. */
function useEmailFault(): (error: RequestError) => string | undefined {
  const { t } = useTranslation('dashboard')
  const authFault = useAuthFault()
  return (error) => {
    const field = error.errors.find(({ path }) => path === 'email')
    if (field) return field.code === 'conflict' ? t('settings.emailTaken') : t('settings.emailMalformed')
    return error.status === 403 ? undefined : authFault(error)
  }
}
