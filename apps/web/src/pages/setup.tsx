import { Navigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { firstRunStore, showStep } from '../first-run/first-run.ts'
import { useStore } from '../lib/store.ts'
import { callAuth } from '../session/auth-client.ts'
import { enter } from '../session/bearer.ts'
import { type Session, sessionStore } from '../session/session.ts'
import { Notice } from '../ui/notice.tsx'
import { AccountForm } from './account-form.tsx'
import { CardPage } from './card.tsx'
import { forgetLink, useLink } from './use-link.ts'

const FirstRunPages = lazy(async () => {
  const { FirstRunPages: pages, readyFirstRunPages } = await import('../first-run/first-run-pages.tsx')
  await readyFirstRunPages()
  return { default: pages }
})

const WrongAddress = lazy(async () => {
  const [made, { readyFirstRun }] = await Promise.all([
    import('../first-run/wrong-address.tsx'),
    import('../first-run/words.ts'),
  ])
  await readyFirstRun()
  return { default: made.WrongAddress }
})

/** `/setup#<link>`: creates the first account of an installation with a one-time link, then shows the first run. */
export function SetupPage() {
  const { t } = useTranslation('entry')
  const session = useStore(sessionStore, (now) => now)
  const step = useStore(firstRunStore, (now) => now)
  const link = useLink('/setup')
  if (step && session?.signedIn) {
    return (
      <Suspense fallback={null}>
        <FirstRunPages step={step} />
      </Suspense>
    )
  }
  if (session && !session.setupNeeded) return <Navigate to={session.signedIn ? '/' : '/sign-in'} replace />
  return (
    <CardPage title={t('setup.title')} text={t('setup.text')}>
      {link === '' ? (
        <Notice tone="info">{t('setup.noLink')}</Notice>
      ) : (
        <>
          <Suspense fallback={null}>
            <WrongAddress link={link} />
          </Suspense>
          <FirstAccount link={link} />
        </>
      )}
    </CardPage>
  )
}

function FirstAccount({ link }: { readonly link: string }) {
  const { t } = useTranslation('entry')
  return (
    <AccountForm
      onSubmit={async (person) => {
        const session = await callAuth<Session>('setup', { link, ...person })
        forgetLink('/setup')
        // Before the session, with which the page would leave.
        showStep('address')
        enter(session)
      }}
      explain={({ status }) => (status === 401 || status === 404 ? t('setup.linkOver') : undefined)}
    />
  )
}
