import { useTranslation } from 'react-i18next'
import type { ApiError } from '../../api/api-error.ts'
import { passkeyRefused } from '../../session/passkey.ts'

/** Translates errors of requests that take a password or a code. */
export function useAuthFault(): (error: ApiError) => string | undefined {
  const { t } = useTranslation('dashboard')
  return ({ status, retryAfterS, fields }) => {
    if (status === 429) return t('security.slow', { count: retryAfterS ?? 60 })
    if (status === passkeyRefused) return t('passkeys.refused')
    const faulty = new Map(fields.map(({ path, msg }) => [path, msg]))
    if (faulty.has('current')) return t('password.wrong')
    if (faulty.has('code')) return t('totp.wrong')
    return [...faulty].map(([path, msg]) => `${path} ${msg}`).join(' ') || undefined
  }
}
