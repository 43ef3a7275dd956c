import { type ReactNode, useState } from 'react'
import { DrawerForm } from '../drawer-form.tsx'
import { CurrentPassword } from './current-password.tsx'
import { useAuthFault } from './use-auth-fault.ts'

interface PasswordQuestionProps {
  readonly text: string
  readonly submit: string
  readonly children?: ReactNode
  onPassword(current: string): Promise<unknown>
}

/** Asks for the password again, so that finding an open page is not enough. */
export function PasswordQuestion({ text, submit, children, onPassword }: PasswordQuestionProps) {
  const [current, setCurrent] = useState('')
  const form = { label: submit, intro: <p className="text-pretty text-muted">{text}</p>, explain: useAuthFault() }
  return (
    <DrawerForm {...form} onSubmit={() => onPassword(current)}>
      {children}
      <CurrentPassword autoFocus={!children} value={current} onChange={setCurrent} />
    </DrawerForm>
  )
}
