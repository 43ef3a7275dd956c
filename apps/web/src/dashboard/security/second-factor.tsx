import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../../lib/store.ts'
import { sessionStore } from '../../session/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../drawer.tsx'
import { Part } from '../part.tsx'
import { PasswordQuestion } from './password-question.tsx'
import { removeTotp } from './queries.ts'
import { TotpEnrolment } from './totp-enrolment.tsx'

/** Codes of an authenticator app in addition to the password. */
export function SecondFactor() {
  const { t } = useTranslation('dashboard')
  const isOn = useStore(sessionStore, (now) => now?.user?.hasTotp === true)
  const [open, setOpen] = useState<'add' | 'remove'>()
  const close = () => setOpen(undefined)
  const action = (
    <div className="flex items-center gap-3">
      <Badge tone={isOn ? 'ok' : 'plain'}>{isOn ? t('totp.on') : t('totp.off')}</Badge>
      <Button look={isOn ? 'danger' : 'plain'} onClick={() => setOpen(isOn ? 'remove' : 'add')}>
        {isOn ? t('totp.remove') : t('totp.add')}
      </Button>
    </div>
  )
  return (
    <>
      <Part title={t('totp.title')} text={t('totp.text')} action={action} />
      {open === 'add' && <TotpEnrolment onClose={close} />}
      {open === 'remove' && (
        <Drawer title={t('totp.remove')} onClose={close}>
          <PasswordQuestion
            text={t('totp.removeText')}
            submit={t('totp.remove')}
            onPassword={(current) => removeTotp(current).then(close)}
          />
        </Drawer>
      )}
    </>
  )
}
