import type { RequestError } from '@lathe/sdk'
import { useTranslation } from 'react-i18next'
import { secondsToWait } from '../../api/errors.ts'
import { passkeyRefused } from '../../session/passkey.ts'

/** Translates errors of requests that take a password or a code. */
export function useAuthFault(): (error: RequestError) => string | undefined {
  const { t } = useTranslation('dashboard')
  return (error) => {
    const { status, errors } = error
    if (status === 429) return t('security.slow', { count: secondsToWait(error) })
    if (status === passkeyRefused) return t('passkeys.refused')
    const faulty = new Map(errors.map(({ path, msg }) => [path, msg]))
    if (faulty.has('current')) return t('password.wrong')
    if (faulty.has('code')) return t('totp.wrong')
    return [...faulty].map(([path, msg]) => `${path} ${msg}`).join(' ') || undefined
  }
}
