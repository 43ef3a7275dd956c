import type { RequestError } from '@lathe/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.ts'
import { useStore } from '../../lib/store.ts'
import { callAuth } from '../../session/auth-client.ts'
import { loadSession } from '../../session/bearer.ts'
import { type Session, sessionStore } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { Part } from '../part.tsx'
import { CurrentPassword } from '../security/current-password.tsx'
import { useAuthFault } from '../security/use-auth-fault.ts'

/** Deletes the user's own account, in modes that have accounts. */
export function AccountDeletion() {
  const { t } = useTranslation('dashboard')
  const session = useStore(sessionStore, (now) => now)
  const [isAsking, setIsAsking] = useState(false)
  if (session?.mode !== 'accounts' || !session.user) return null
  const action = (
    <Button look="danger" onClick={() => setIsAsking(true)}>
      {t('deletion.open')}
    </Button>
  )
  return (
    <Part title={t('deletion.title')} text={t('deletion.text')} action={action}>
      {isAsking && <DeletionDrawer user={session.user} onClose={() => setIsAsking(false)} />}
    </Part>
  )
}

interface DeletionDrawerProps {
  readonly user: NonNullable<Session['user']>
  onClose(): void
}

/** Asks for the email address, to prevent accidents, and for the password, to confirm the user's identity. */
function DeletionDrawer({ user, onClose }: DeletionDrawerProps) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [current, setCurrent] = useState('')
  const isConfirmed = typed.trim().toLowerCase() === user.email.toLowerCase()
  const remove = async () => {
    await callAuth('account', user.hasPassword ? { current } : {}, 'DELETE')
    queries.clear()
    await navigate({ to: '/' })
    await loadSession()
  }
  const intro = (
    <>
      <p className="text-pretty">{t('deletion.what')}</p>
      <p className="text-pretty text-muted">{t('deletion.teams')}</p>
    </>
  )
  const form = { label: t('deletion.submit'), isReady: isConfirmed, isDanger: true, intro, explain: useDeletionFault() }
  return (
    <Drawer title={t('deletion.title')} onClose={onClose}>
      <DrawerForm {...form} onSubmit={remove}>
        <TextField
          label={t('deletion.confirm', { email: user.email })}
          type="text"
          required
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {user.hasPassword && <CurrentPassword value={current} onChange={setCurrent} />}
      </DrawerForm>
    </Drawer>
  )
}

/** Names the teams that would have no owner; other errors are those of any account change. */
function useDeletionFault(): (error: RequestError) => string | undefined {
  const { t } = useTranslation('dashboard')
  const authFault = useAuthFault()
  const owners = useStore(sessionStore, (now) => now?.owners)
  return (error) => {
    const ids = error.errors.flatMap(({ path }) => /^teams\.(.+)$/.exec(path)?.[1] ?? [])
    const names = ids.flatMap((id) => owners?.find((owner) => owner.id === id)?.name ?? [])
    if (names.length > 0) return t('deletion.alone', { names: names.join(', ') })
    if (error.status === 403 && error.errorCode === 'forbidden') return undefined
    return authFault(error)
  }
}
