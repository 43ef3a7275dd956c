import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { sessionStore } from '../session/session.ts'
import { CardPage } from './card.tsx'
import { KeyForm } from './key-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SignInTrouble } from './sign-in-trouble.tsx'

/** `/sign-in`: by password, or by API key where there are no accounts. */
export function SignInPage() {
  const { t } = useTranslation('entry')
  const session = useStore(sessionStore, (now) => now)
  if (!session) return <CardSkeleton />
  if (session.setupNeeded) return <Navigate to="/setup" replace />
  if (session.signedIn || session.mode === 'open') return <Navigate to="/" replace />
  if (session.mode === 'none') {
    return (
      <CardPage title={t('signIn.keyTitle')} text={t('signIn.keyText')}>
        <KeyForm />
      </CardPage>
    )
  }
  if (session.mode === 'proxy') {
    return (
      <CardPage title={t('signIn.proxyTitle')} text={t('signIn.proxyText')}>
        {null}
      </CardPage>
    )
  }
  return (
    <CardPage title={t('signIn.title')}>
      <SignInTrouble />
      <PasswordForm />
    </CardPage>
  )
}

function CardSkeleton() {
  return (
    <div className="mx-auto grid max-w-[400px] px-4 pt-[8vh]" aria-hidden="true">
      <div className="grid gap-5 rounded-panel border bg-surface px-8 py-7">
        <div className="skeleton h-6 w-2/5" />
        <div className="skeleton h-9" />
        <div className="skeleton h-9" />
        <div className="skeleton h-11" />
      </div>
    </div>
  )
}
