import { useTranslation } from 'react-i18next'
import { Notice } from '../ui/notice.tsx'

const troubles = [
  ...(['denied', 'stale', 'failed', 'not_allowed'] as const),
  ...(['no_email', 'email_unverified', 'email_taken', 'no_account'] as const),
] as const

/** Why a sign-in at the identity provider failed. */
export function SignInTrouble() {
  const { t } = useTranslation('team')
  const code = new URLSearchParams(location.search).get('trouble')
  if (code === null) return null
  const trouble = troubles.find((known) => known === code) ?? 'failed'
  return <Notice tone="bad">{t(`trouble.${trouble}`)}</Notice>
}
