import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../../lib/store.ts'
import { callAuth } from '../../session/auth-client.ts'
import { loadSession } from '../../session/bearer.ts'
import { sessionStore } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../part.tsx'
import { RenameDrawer } from '../rename-drawer.tsx'
import { EmailDrawer } from './email-drawer.tsx'

/** The name and email address of the user, and in modes that have accounts, how to change them. */
export function Profile() {
  const { t } = useTranslation('dashboard')
  const session = useStore(sessionStore, (now) => now)
  const [opened, setOpened] = useState<'name' | 'email'>()
  const user = session?.user
  if (!user) return null
  const mayRename = session.mode === 'accounts'
  const close = () => setOpened(undefined)
  const rename = async (name: string) => {
    await callAuth('account', { name }, 'PATCH')
    await loadSession()
  }
  return (
    <Part
      title={t('settings.profile')}
      {...(!mayRename && { text: t('settings.profileText') })}
      {...(mayRename && !user.mayChangeEmail && { text: t('settings.linkedEmail') })}
    >
      <dl className="grid gap-5 px-5 py-5 sm:grid-cols-2">
        <ProfileField
          label={t('settings.name')}
          value={user.name}
          {...(mayRename && { onChange: () => setOpened('name') })}
        />
        <ProfileField
          label={t('settings.email')}
          value={user.email}
          {...(user.mayChangeEmail && { onChange: () => setOpened('email') })}
        />
      </dl>
      {opened === 'name' && (
        <RenameDrawer title={t('settings.changeName')} name={user.name} onRename={rename} onClose={close} />
      )}
      {opened === 'email' && <EmailDrawer user={user} onClose={close} />}
    </Part>
  )
}

interface ProfileFieldProps {
  readonly label: string
  readonly value: string
  onChange?(): void
}

function ProfileField({ label, value, onChange }: ProfileFieldProps) {
  const { t } = useTranslation('dashboard')
  return (
    <div className="min-w-0">
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 break-words">
          <bdi>{value}</bdi>
        </span>
        {onChange && (
          <Button size="small" aria-label={t('settings.changeOne', { what: label })} onClick={onChange}>
            {t('settings.change')}
          </Button>
        )}
      </dd>
    </div>
  )
}
