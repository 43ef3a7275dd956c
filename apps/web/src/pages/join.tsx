import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { callAuth } from '../session/auth-client.ts'
import { enter } from '../session/bearer.ts'
import { type Role, type Session, sessionStore } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AccountForm } from './account-form.tsx'
import { CardPage } from './card.tsx'
import { PasswordForm } from './password-form.tsx'
import { forgetLink, useLink } from './use-link.ts'
import { useSubmit } from './use-submit.ts'

interface Invitation {
  readonly team: string
  readonly role: Role
  readonly inviter: string
  readonly email: string | null
  readonly createsAccount: boolean
}

/** `/join#<link>`: an invitation to a team, for anyone with its link. */
export function JoinPage() {
  const { t } = useTranslation('team')
  const link = useLink('/join')
  const session = useStore(sessionStore, (now) => now)
  const [invitation, setInvitation] = useState<Invitation | 'void'>()
  useEffect(() => {
    if (link === '') return setInvitation('void')
    callAuth<Invitation>('invitations/show', { link }).then(setInvitation, () => setInvitation('void'))
  }, [link])
  if (!invitation || !session) return null
  if (invitation === 'void') {
    return (
      <CardPage title={t('join.voidTitle')} text={t('join.void')}>
        {null}
      </CardPage>
    )
  }
  const { team, role, inviter } = invitation
  const text = t('join.text', { inviter, role: t(`roles.${role}`) })
  return (
    <CardPage title={t('join.title', { team })} text={text}>
      {session.signedIn ? (
        <Accept link={link} name={session.user?.name ?? ''} />
      ) : (
        <Enter link={link} invitation={invitation} mode={session.mode} />
      )}
    </CardPage>
  )
}

/** For signed-in users: one button. */
function Accept({ link, name }: { readonly link: string; readonly name: string }) {
  const { t } = useTranslation('team')
  const navigate = useNavigate()
  const { submit, isBusy, fault } = useSubmit(async () => {
    enter(await callAuth<Session>('invitations/accept', { link }))
    forgetLink('/join')
    await navigate({ to: '/members' })
  })
  return (
    <form onSubmit={submit} className="grid gap-4">
      {fault && <Notice tone="bad">{fault}</Notice>}
      <Button type="submit" look="primary" size="large" disabled={isBusy}>
        {t('join.accept')}
      </Button>
      <p className="text-[13px] text-pretty text-muted">{t('join.as', { name })}</p>
    </form>
  )
}

interface EnterProps {
  readonly link: string
  readonly invitation: Invitation
  readonly mode: Session['mode']
}

/** For others: a new account, or signing in to an existing one. */
function Enter({ link, invitation: { email, createsAccount }, mode }: EnterProps) {
  const { t } = useTranslation('team')
  const navigate = useNavigate()
  const [hasAccount, setHasAccount] = useState(false)
  if (mode !== 'accounts') return <Notice tone="info">{t('join.signInFirst')}</Notice>
  if (!createsAccount) {
    return (
      <div className="grid gap-4">
        <Notice tone="info">{t('join.signInFirst')}</Notice>
        <PasswordForm />
      </div>
    )
  }
  return (
    <div className="grid gap-4">
      {hasAccount ? (
        <PasswordForm />
      ) : (
        <AccountForm
          email={email ?? undefined}
          onSubmit={async (person) => {
            enter(await callAuth<Session>('invitations/accept', { link, person }))
            forgetLink('/join')
            await navigate({ to: '/members' })
          }}
          explain={({ status }) => (status === 404 ? t('join.void') : undefined)}
        />
      )}
      <Button look="ghost" onClick={() => setHasAccount(!hasAccount)}>
        {hasAccount ? t('join.noAccount') : t('join.haveAccount')}
      </Button>
    </div>
  )
}
