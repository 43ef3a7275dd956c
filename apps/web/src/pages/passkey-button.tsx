import { KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { enter } from '../session/bearer.ts'
import { passkeyRefused, signInWithPasskey } from '../session/passkey.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from './use-submit.ts'

/** Signs in without a password. */
export function PasskeyButton({ stay }: { readonly stay: boolean }) {
  const { t } = useTranslation('entry')
  const { submit, isBusy, fault } = useSubmit(
    async () => void enter(await signInWithPasskey(stay)),
    ({ status }) => (status === passkeyRefused || status === 401 ? t('signIn.passkeyRefused') : undefined),
  )
  return (
    <div className="grid gap-2">
      <Button size="large" disabled={isBusy} onClick={submit}>
        <KeyRound size={16} aria-hidden />
        {t('signIn.passkey')}
      </Button>
      {fault && (
        <p role="alert" className="text-[13px] text-bad">
          {fault}
        </p>
      )}
    </div>
  )
}
