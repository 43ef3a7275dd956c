import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../api/errors.ts'
import { Button } from '../ui/button.tsx'

interface AskOnceProps {
  /** The label of the button. */
  readonly label: string
  /** The accessible name, which includes what it acts on. */
  readonly name: string
  /** Describes the consequence. */
  readonly question: string
  onYes(): Promise<unknown>
}

/** A button for actions that cannot be undone: it asks for confirmation and shows errors. */
export function AskOnce({ label, name, question, onYes }: AskOnceProps) {
  const { t } = useTranslation('dashboard')
  const [asks, setAsks] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const go = async () => {
    setIsBusy(true)
    setFault(undefined)
    try {
      await onYes()
      setAsks(false)
    } catch (cause) {
      setFault(messageOf(cause))
    } finally {
      setIsBusy(false)
    }
  }
  if (!asks) {
    return (
      <Button look="danger" size="small" aria-label={name} onClick={() => setAsks(true)}>
        {label}
      </Button>
    )
  }
  return (
    <fieldset className="flex flex-wrap items-center gap-2" aria-label={name}>
      <span className="text-[13px]">{question}</span>
      <Button look="danger" size="small" autoFocus disabled={isBusy} onClick={() => void go()}>
        {label}
      </Button>
      <Button look="ghost" size="small" onClick={() => setAsks(false)}>
        {t('common.keep')}
      </Button>
      {fault && (
        <p role="alert" className="text-[13px] text-bad">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
