import { openRequest, readJson } from '@lathe/sdk'

/** Settings of the installation that the page needs before anything else. */
export interface Settings {
  readonly hasAccounts: boolean
  readonly maxFileBytes: number
  /** The URL under which the service is configured to be reached. */
  readonly publicUrl: string
}

let asked: Promise<Settings> | undefined

/** Loads the settings once; after a failure, the next call tries again. */
export function loadSettings(): Promise<Settings> {
  asked ??= ask().catch((cause: unknown) => {
    asked = undefined
    throw cause
  })
  return asked
}

async function ask(): Promise<Settings> {
  return readJson<Settings>(await openRequest(`${location.origin}/settings.json`, { credentials: 'omit' }))
}
