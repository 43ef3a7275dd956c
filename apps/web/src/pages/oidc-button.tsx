import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../api/errors.ts'
import { callAuth } from '../session/auth-client.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

interface OidcButtonProps {
  readonly name: string
  readonly stay: boolean
}

/** Signs in at the identity provider, then returns to the current page. */
export function OidcButton({ name, stay }: OidcButtonProps) {
  const { t } = useTranslation('entry')
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const go = async () => {
    setIsBusy(true)
    try {
      const here = location.pathname === '/sign-in' ? '/' : location.pathname
      const back = new URLSearchParams(location.search).get('back') ?? here
      const { url } = await callAuth<{ url: string }>('oidc/start', { back, stay })
      location.assign(url)
    } catch (cause) {
      setFault(messageOf(cause))
      setIsBusy(false)
    }
  }
  return (
    <>
      <Button size="large" disabled={isBusy} onClick={() => void go()}>
        {t('signIn.oidc', { name })}
      </Button>
      {fault && <Notice tone="bad">{fault}</Notice>}
    </>
  )
}
