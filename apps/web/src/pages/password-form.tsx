import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { secondsToWait } from '../api/errors.ts'
import { useStore } from '../lib/store.ts'
import { callAuth } from '../session/auth-client.ts'
import { enter, loadSession } from '../session/bearer.ts'
import { type Session, sessionStore } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { OidcButton } from './oidc-button.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { useSubmit } from './use-submit.ts'

type Answer = Session | { readonly secondFactor: 'totp' }

/** Email and password, then a code if the account has a second factor. */
export function PasswordForm() {
  const [asksCode, setAsksCode] = useState(false)
  return asksCode ? <CodeForm /> : <FirstStep onSecond={() => setAsksCode(true)} />
}

function FirstStep({ onSecond }: { onSecond(): void }) {
  const { t } = useTranslation('entry')
  const oidc = useStore(sessionStore, (now) => now?.methods.oidc)
  const hasPasskeys = useStore(sessionStore, (now) => now?.methods.passkey === true)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [stay, setStay] = useState(false)
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      const answer = await callAuth<Answer>('sign-in', { email, password, stay })
      if ('secondFactor' in answer) onSecond()
      else await enterIfKept(answer, t('signIn.cookieLost'))
    },
    (error) => {
      if (error.status === 401) return t('signIn.wrong')
      return error.status === 429 ? t('signIn.slow', { count: secondsToWait(error) }) : undefined
    },
  )
  return (
    <form onSubmit={submit} className="grid gap-4">
      {fault && <Notice tone="bad">{fault}</Notice>}
      <TextField
        label={t('signIn.email')}
        type="email"
        required
        autoFocus
        autoComplete="username"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <TextField
        label={t('signIn.password')}
        type="password"
        required
        autoComplete="current-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <label className="flex items-center gap-2.5 py-1">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={stay}
          onChange={({ target }) => setStay(target.checked)}
        />
        {t('signIn.stay')}
      </label>
      <Button type="submit" look="primary" size="large" disabled={isBusy}>
        {t('signIn.submit')}
      </Button>
      {hasPasskeys && <PasskeyButton stay={stay} />}
      {oidc && <OidcButton name={oidc.name} stay={stay} />}
    </form>
  )
}

function CodeForm() {
  const { t } = useTranslation('entry')
  const [code, setCode] = useState('')
  const { submit, isBusy, fault } = useSubmit(
    async () => void enter(await callAuth<Session>('second-factor', { code: code.replaceAll(/\s/g, '') })),
    ({ status }) => (status === 401 ? t('signIn.codeWrong') : undefined),
  )
  return (
    <form onSubmit={submit} className="grid gap-4">
      <TextField
        label={t('signIn.code')}
        inputMode="numeric"
        required
        autoFocus
        autoComplete="one-time-code"
        className="num tracking-widest"
        value={code}
        error={fault}
        hint={t('signIn.codeHint')}
        onChange={({ target }) => setCode(target.value)}
      />
      <Button type="submit" look="primary" size="large" disabled={isBusy}>
        {t('signIn.submit')}
      </Button>
    </form>
  )
}

/** A browser may refuse the cookie, for example over plain HTTP: show that instead of asking for the password again. */
async function enterIfKept(answer: Session, complaint: string): Promise<void> {
  const seen = await loadSession()
  if (!seen.signedIn) throw new Error(complaint)
  enter({ ...answer, ...seen })
}
