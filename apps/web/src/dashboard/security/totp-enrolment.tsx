import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveText } from '../../lib/save-text.ts'
import { useSubmit } from '../../pages/use-submit.ts'
import { loadSession } from '../../session/bearer.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { Copyable } from '../copyable.tsx'
import { Drawer } from '../drawer.tsx'
import { PasswordQuestion } from './password-question.tsx'
import { confirmTotp, offerTotp, type TotpOffer } from './queries.ts'
import { useAuthFault } from './use-auth-fault.ts'

/** Asks for the password, then for a code of the app, then shows the recovery codes. */
export function TotpEnrolment({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('dashboard')
  const [offer, setOffer] = useState<TotpOffer>()
  const [codes, setCodes] = useState<readonly string[]>()
  // The page is updated at the end, because the recovery codes must be shown first.
  const close = () => {
    onClose()
    if (codes) void loadSession().catch(() => undefined)
  }
  return (
    <Drawer title={codes ? t('totp.codes') : t('totp.add')} onClose={close}>
      {!offer && (
        <PasswordQuestion
          text={t('totp.passwordText')}
          submit={t('totp.next')}
          onPassword={async (current) => setOffer(await offerTotp(current))}
        />
      )}
      {offer && !codes && <CodeForm offer={offer} onCodes={setCodes} />}
      {codes && <RecoveryCodes codes={codes} onClose={close} />}
    </Drawer>
  )
}

interface CodeFormProps {
  readonly offer: TotpOffer
  onCodes(codes: readonly string[]): void
}

function CodeForm({ offer, onCodes }: CodeFormProps) {
  const { t } = useTranslation('dashboard')
  const [code, setCode] = useState('')
  const { submit, isBusy, fault } = useSubmit(
    async () => onCodes(await confirmTotp(code.replaceAll(/\s/g, ''))),
    useAuthFault(),
  )
  return (
    <form onSubmit={submit} className="grid gap-5 px-5 py-5">
      <p className="text-pretty text-muted">{t('totp.scan')}</p>
      <div className="justify-self-center">
        <QrCode text={offer.uri} label={t('totp.qr')} />
      </div>
      <Copyable label={t('totp.secret')} text={offer.secret} />
      <TextField
        label={t('totp.code')}
        inputMode="numeric"
        required
        autoFocus
        autoComplete="one-time-code"
        className="num tracking-widest"
        value={code}
        error={fault}
        onChange={({ target }) => setCode(target.value)}
      />
      <Button type="submit" look="primary" size="large" disabled={isBusy}>
        {t('totp.confirm')}
      </Button>
    </form>
  )
}

function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; onClose(): void }) {
  const { t } = useTranslation('dashboard')
  const text = codes.join('\n')
  return (
    <div className="grid gap-5 px-5 py-5">
      <Notice tone="warn">{t('totp.once')}</Notice>
      <Copyable label={t('totp.codes')} text={text} />
      <Button onClick={() => saveText('lathe-recovery-codes.txt', 'text/plain', `${text}\n`)}>{t('totp.save')}</Button>
      <Button look="primary" size="large" onClick={onClose}>
        {t('keys.done')}
      </Button>
    </div>
  )
}
