import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Part } from '../part.tsx'
import { CurrentPassword } from './current-password.tsx'
import { changePassword } from './queries.ts'
import { useAuthFault } from './use-auth-fault.ts'

/** Changes the password. */
export function PasswordPart() {
  const { t } = useTranslation('dashboard')
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [revokeKeys, setRevokeKeys] = useState(false)
  const [isDone, setIsDone] = useState(false)
  const { submit, isBusy, fault } = useSubmit(async () => {
    setIsDone(false)
    await changePassword({ current, password, revokeKeys })
    setIsDone(true)
    setCurrent('')
    setPassword('')
  }, useAuthFault())
  return (
    <Part title={t('password.title')} text={t('password.text')}>
      <form onSubmit={submit} className="grid max-w-md gap-4 px-5 py-5">
        {fault && <Notice tone="bad">{fault}</Notice>}
        {isDone && <Notice tone="info">{t('password.done')}</Notice>}
        <CurrentPassword value={current} onChange={setCurrent} />
        <TextField
          label={t('password.next')}
          hint={t('password.hint')}
          type="password"
          required
          minLength={10}
          autoComplete="new-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={revokeKeys}
            onChange={({ target }) => setRevokeKeys(target.checked)}
          />
          <span>
            {t('password.revokeKeys')}
            <span className="block text-[13px] text-muted">{t('password.revokeKeysHint')}</span>
          </span>
        </label>
        <Button type="submit" className="justify-self-start" disabled={isBusy}>
          {t('password.submit')}
        </Button>
      </form>
    </Part>
  )
}
