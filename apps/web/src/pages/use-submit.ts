import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiError, toError } from '../api/api-error.ts'

/** Submits a form and holds its pending state and error text. */
export function useSubmit(work: () => Promise<unknown>, explain: (error: ApiError) => string | undefined) {
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
      const error = toError(cause)
      setFault(explain(error) ?? (error.code === 'offline' ? t('trouble.offline') : error.message))
    } finally {
      setIsBusy(false)
    }
  }
  return { submit: (event: FormEvent) => void submit(event), isBusy, fault }
}
