import { ApiError, toApiError } from './api-error.ts'

/** What the page must know of its installation before anything else. */
export interface Settings {
  readonly hasAccounts: boolean
  readonly maxFileBytes: number
}

let asked: Promise<Settings> | undefined

/** Asks once; a failure is asked again. */
export function loadSettings(): Promise<Settings> {
  asked ??= ask().catch((cause: unknown) => {
    asked = undefined
    throw cause
  })
  return asked
}

async function ask(): Promise<Settings> {
  const response = await fetch('/settings.json', { credentials: 'omit' }).catch(() => {
    throw new ApiError(0, {})
  })
  if (!response.ok) throw await toApiError(response)
  return (await response.json()) as Settings
}
