import { RequestError } from '@lathe/sdk'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf, secondsToWait } from '../api/errors.ts'
import { useStore } from '../lib/store.ts'
import { callAuth } from '../session/auth-client.ts'
import { sessionStore } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { CardPage } from './card.tsx'
import { type Device, DeviceForm } from './device-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { forgetLink, useLink } from './use-link.ts'
import { useSubmit } from './use-submit.ts'

interface Found {
  readonly code: string
  readonly device: Device
  /** Whether the user has typed the code, and so has compared it. */
  readonly isTyped: boolean
}

/** `/device`, and `/device#<code>`: approves or denies a program that wants to sign in. */
export function DevicePage() {
  const { t } = useTranslation('device')
  const session = useStore(sessionStore, (now) => now)
  const [found, setFound] = useState<Found>()
  const [outcome, setOutcome] = useState<'approved' | 'denied'>()
  const given = useLink('/device')
  if (!session) return null
  if (session.mode !== 'accounts') return <Message title={t('off.title')} text={t('off.text')} />
  if (!session.signedIn) {
    return (
      <CardPage title={t('title')} text={t('signIn')}>
        <PasswordForm />
      </CardPage>
    )
  }
  if (outcome === 'approved') return <Message title={t('approved.title')} text={t('approved.text')} />
  if (outcome === 'denied') return <Message title={t('denied.title')} text={t('denied.text')} />
  if (!found) {
    return (
      <CardPage title={t('title')} text={t('text')}>
        <CodeForm given={given} onFound={setFound} />
      </CardPage>
    )
  }
  return (
    <CardPage title={t('title')} text={t('warning')}>
      <DeviceForm
        {...found}
        onDone={(made) => {
          forgetLink('/device')
          setOutcome(made)
        }}
      />
    </CardPage>
  )
}

function Message({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <CardPage title={title} text={text}>
      {null}
    </CardPage>
  )
}

interface CodeFormProps {
  /** The code from the link, if any. */
  readonly given: string
  onFound(found: Found): void
}

/** Asks for the code that the terminal shows; a code from the link is looked up immediately. */
function CodeForm({ given, onFound }: CodeFormProps) {
  const { t } = useTranslation('device')
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const find = async (wanted: string, isTyped: boolean) => {
    onFound({ code: wanted, isTyped, device: await callAuth<Device>('device/show', { userCode: wanted }) })
  }
  const explain = (error: RequestError) => {
    const { status } = error
    if (status === 429) return t('slow', { count: Math.ceil(secondsToWait(error) / 60) })
    return status === 404 || status === 400 ? t('unknown') : undefined
  }
  const typed = useSubmit(() => find(code.trim(), true), explain)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the code of a link is looked up once.
  useEffect(() => {
    if (given === '') return
    find(given, false).catch((cause: unknown) => {
      forgetLink('/device')
      setFault((cause instanceof RequestError && explain(cause)) || messageOf(cause))
    })
  }, [given])
  return (
    <form onSubmit={typed.submit} className="grid gap-4">
      {fault && !typed.fault && <Notice tone="bad">{fault}</Notice>}
      <TextField
        label={t('code')}
        required
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        maxLength={20}
        placeholder="XXXX-XXXX"
        className="font-mono tracking-widest uppercase"
        value={code}
        error={typed.fault}
        hint={t('codeHint')}
        onChange={({ target }) => setCode(target.value)}
      />
      <Button type="submit" look="primary" size="large" disabled={typed.isBusy || code.trim() === ''}>
        {t('continue')}
      </Button>
    </form>
  )
}
