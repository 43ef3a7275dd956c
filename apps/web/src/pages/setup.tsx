import { Navigate, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { callAuth } from '../session/auth-client.ts'
import { enter } from '../session/bearer.ts'
import { type Session, sessionStore } from '../session/session.ts'
import { Notice } from '../ui/notice.tsx'
import { AccountForm } from './account-form.tsx'
import { CardPage } from './card.tsx'
import { forgetLink, useLink } from './use-link.ts'

/** `/setup#<link>`: the first account of an installation, for whoever has its one-time link. */
export function SetupPage() {
  const { t } = useTranslation('entry')
  const session = useStore(sessionStore, (now) => now)
  const link = useLink('/setup')
  if (session && !session.setupNeeded) return <Navigate to={session.signedIn ? '/' : '/sign-in'} replace />
  return (
    <CardPage title={t('setup.title')} text={t('setup.text')}>
      {link === '' ? <Notice tone="info">{t('setup.noLink')}</Notice> : <FirstAccount link={link} />}
    </CardPage>
  )
}

function FirstAccount({ link }: { readonly link: string }) {
  const { t } = useTranslation('entry')
  const navigate = useNavigate()
  return (
    <AccountForm
      onSubmit={async (person) => {
        enter(await callAuth<Session>('setup', { link, ...person }))
        forgetLink('/setup')
        await navigate({ to: '/' })
      }}
      explain={({ status }) => (status === 401 || status === 404 ? t('setup.linkOver') : undefined)}
    />
  )
}
