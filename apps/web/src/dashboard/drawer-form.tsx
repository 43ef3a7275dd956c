import type { RequestError } from '@lathe/sdk'
import type { ReactNode } from 'react'
import { useSubmit } from '../pages/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

interface DrawerFormProps {
  /** The label of the button that submits it. */
  readonly label: string
  readonly isReady?: boolean
  readonly isDanger?: boolean
  /** What is shown above an error. */
  readonly intro?: ReactNode
  readonly children: ReactNode
  onSubmit(): Promise<unknown>
  /** The text for an error, if there is a better one than its own. */
  explain?(error: RequestError): string | undefined
}

/** The form of a drawer, with its error and its button. */
export function DrawerForm({ label, isReady = true, isDanger, intro, children, onSubmit, explain }: DrawerFormProps) {
  const { submit, isBusy, fault } = useSubmit(onSubmit, explain)
  const look = isDanger ? ({ look: 'danger', className: '!border-bad' } as const) : ({ look: 'primary' } as const)
  return (
    <form onSubmit={submit} className="grid gap-5 px-5 py-5">
      {intro}
      {fault && <Notice tone="bad">{fault}</Notice>}
      {children}
      <Button type="submit" size="large" disabled={isBusy || !isReady} {...look}>
        {label}
      </Button>
    </form>
  )
}
