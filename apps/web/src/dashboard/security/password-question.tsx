import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAuthFault } from './use-auth-fault.ts'

interface PasswordQuestionProps {
  readonly text: string
  readonly submit: string
  readonly children?: ReactNode
  onPassword(current: string): Promise<unknown>
}

/** Asks for the password again, so that finding an open page is not enough. */
export function PasswordQuestion({ text, submit: label, children, onPassword }: PasswordQuestionProps) {
  const { t } = useTranslation('dashboard')
  const [current, setCurrent] = useState('')
  const { submit, isBusy, fault } = useSubmit(() => onPassword(current), useAuthFault())
  return (
    <form onSubmit={submit} className="grid gap-5 px-5 py-5">
      <p className="text-pretty text-muted">{text}</p>
      {fault && <Notice tone="bad">{fault}</Notice>}
      {children}
      <TextField
        label={t('password.current')}
        type="password"
        required
        autoFocus={!children}
        autoComplete="current-password"
        value={current}
        onChange={({ target }) => setCurrent(target.value)}
      />
      <Button type="submit" look="primary" size="large" disabled={isBusy}>
        {label}
      </Button>
    </form>
  )
}
