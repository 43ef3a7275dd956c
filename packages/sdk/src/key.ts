import { LatheError } from './errors.ts'

/** A key, or a function that returns the current one. */
export type Key = string | (() => string | undefined | Promise<string | undefined>)

/** Returns the key for the next request. Refuses API keys in web pages unless they are allowed there. */
export function createKeySource(key: Key | undefined, isAllowed: boolean): () => Promise<string | undefined> {
  const checked = (now: string | undefined) => {
    if (now !== undefined && !isAllowed && !/^lathe_(job|t)_/.test(now)) {
      throw new LatheError(
        'An API key in a page is visible to every visitor. Use a job token, or set `dangerouslyAllowBrowser`.',
      )
    }
    return now
  }
  if (typeof key === 'function') return async () => checked(await key())
  checked(key)
  return async () => key
}
