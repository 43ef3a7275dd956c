import { useTranslation } from 'react-i18next'
import { useStore } from '../../lib/store.ts'
import { sessionStore } from '../../session/session.ts'
import { Card, Empty } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordPart } from './password-part.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** `/security`: how the user signs in, and where they are signed in. */
export function SecurityPage() {
  const { t } = useTranslation('dashboard')
  const session = useStore(sessionStore, (now) => now)
  const hasPassword = session?.methods.password === true
  return (
    <DashboardPage title={t('security.title')} text={t('security.text')}>
      {session?.mode === 'none' ? (
        <Card>
          <Empty title={t('security.none')} text={t('security.noneText')} />
        </Card>
      ) : (
        <>
          <Sessions />
          {hasPassword && <PasswordPart />}
          {hasPassword && <SecondFactor />}
          {session?.methods.passkey && <Passkeys />}
        </>
      )}
    </DashboardPage>
  )
}
