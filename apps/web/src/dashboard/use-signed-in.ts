import { useStore } from '../lib/store.ts'
import { sessionStore } from '../session/session.ts'

/** Whether the user is known to be signed in: before that there is nothing to load. */
export function useSignedIn(): boolean {
  return useStore(sessionStore, (now) => now?.signedIn === true)
}
