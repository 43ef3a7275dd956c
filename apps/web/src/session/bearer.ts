import { statusOf } from '../api/errors.ts'
import { loadSettings } from '../api/settings.ts'
import { callAuth } from './auth-client.ts'
import { keptKey } from './kept-key.ts'
import { noMethods, type Session, sessionStore } from './session.ts'

interface Token {
  readonly token: string
  readonly expiresAt: string
}

// Renewed this long before it expires, so that no request uses an expired token.
const marginMs = 60_000

let current: Token | undefined
let asking: Promise<string | undefined> | undefined

/** The token for API calls: a pasted key, or a token of the session, which is only in memory. */
export async function bearer(): Promise<string | undefined> {
  const session = sessionStore.get() ?? (await loadSession().catch(() => undefined))
  if (!session) return undefined
  if (session.mode === 'none') return keptKey.get()
  if (!session.signedIn && session.mode !== 'open') return undefined
  if (current && Date.parse(current.expiresAt) - Date.now() > marginMs) return current.token
  asking ??= askToken().finally(() => {
    asking = undefined
  })
  return asking
}

/** Discards a refused token. True if another one is available. */
export async function forgetBearer(): Promise<boolean> {
  const mode = sessionStore.get()?.mode
  const had = current !== undefined
  current = undefined
  if (mode === 'none' || mode === undefined) return false
  return had
}

async function askToken(): Promise<string | undefined> {
  try {
    current = await callAuth<Token>('token', {})
    return current.token
  } catch (cause) {
    const status = statusOf(cause)
    if (status !== 401 && status !== 403) throw cause
    const session = sessionStore.get()
    // The session has ended: the page shows it and keeps its content.
    if (session) sessionStore.set({ ...session, signedIn: false })
    return undefined
  }
}

/** Loads the session. Without accounts there are only API keys. */
export async function loadSession(): Promise<Session> {
  const { hasAccounts } = await loadSettings()
  if (hasAccounts) {
    const session = await callAuth<Session>('session')
    // A proxy signs users in without the cookie that other calls under /auth need: the first token comes with it.
    const token = session.mode === 'proxy' && session.signedIn ? await callAuth<Token>('token', {}) : undefined
    enter(session)
    current = token
    return session
  }
  return enter({ mode: 'none', setupNeeded: false, signedIn: keptKey.get() !== undefined, methods: noMethods })
}

/** Stores a session from an answer. */
export function enter(session: Session): Session {
  current = undefined
  sessionStore.set(session)
  return session
}

/** Ends the session on this page and on the service. */
export async function leave(): Promise<void> {
  const session = sessionStore.get()
  if (session && session.mode !== 'none') await callAuth('sign-out', {})
  keptKey.set(undefined)
  current = undefined
  await loadSession()
}
