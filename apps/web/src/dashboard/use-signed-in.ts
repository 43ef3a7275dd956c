import { useStore } from '../lib/store.ts'
import { sessionStore } from '../session/session.ts'

/** Whether somebody is known to be signed in: before that there is nothing to ask for. */
export function useSignedIn(): boolean {
  return useStore(sessionStore, (now) => now?.signedIn === true)
}
