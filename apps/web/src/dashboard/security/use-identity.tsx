import type { RequestError } from '@lathe/sdk'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../../lib/store.ts'
import { callAuth } from '../../session/auth-client.ts'
import { sessionStore } from '../../session/session.ts'
import { CurrentPassword } from './current-password.tsx'
import { useAuthFault } from './use-auth-fault.ts'

interface Identity {
  /** Asks for the password, once the service has refused an action without it. */
  readonly field: ReactNode
  /** Sends the password, if one was asked for; before the action. */
  confirm(): Promise<void>
  /** Translates an error of the action. */
  explain(error: RequestError): string | undefined
}

/** For actions that need a recent sign-in or the password, because their results outlast the page. */
export function useIdentity(): Identity {
  const { t } = useTranslation('dashboard')
  const hasPassword = useStore(sessionStore, (now) => now?.user?.hasPassword === true)
  const [isAsked, setIsAsked] = useState(false)
  const [current, setCurrent] = useState('')
  const explainAuth = useAuthFault()
  return {
    field: isAsked && <CurrentPassword autoFocus value={current} onChange={setCurrent} />,
    async confirm() {
      if (isAsked) await callAuth('confirm', { current })
    },
    explain(error) {
      if (error.status !== 429 && !error.errors.some(({ path }) => path === 'current')) return undefined
      if (error.status !== 403) return explainAuth(error)
      if (hasPassword) setIsAsked(true)
      return hasPassword ? t('password.confirm') : undefined
    },
  }
}
