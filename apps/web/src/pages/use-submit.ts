import { ConnectionError, RequestError } from '@lathe/sdk'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../api/errors.ts'

/** Submits a form and holds its pending state and error text. */
export function useSubmit(work: () => Promise<unknown>, explain?: (error: RequestError) => string | undefined) {
  const { t } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setIsBusy(true)
    setFault(undefined)
    try {
      await work()
    } catch (cause) {
      const known = cause instanceof RequestError ? explain?.(cause) : undefined
      setFault(known ?? (cause instanceof ConnectionError ? t('trouble.offline') : messageOf(cause)))
    } finally {
      setIsBusy(false)
    }
  }
  return { submit: (event: FormEvent) => void submit(event), isBusy, fault }
}
