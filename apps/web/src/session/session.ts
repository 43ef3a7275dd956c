import { createStore } from '../lib/store.ts'

/** How users sign in to this installation; `none` has only API keys. */
export type Mode = 'none' | 'accounts' | 'proxy' | 'open'

/** The role of a user in a team. */
export type Role = 'owner' | 'admin' | 'member'

/** An owner that the page can act for. */
export interface Owner {
  readonly id: string
  readonly name: string
  readonly kind: 'person' | 'team' | 'anonymous'
  readonly role: Role
}

/** The current user, as returned by `GET /auth/session`. */
export interface Session {
  readonly mode: Mode
  readonly setupNeeded: boolean
  readonly signedIn: boolean
  readonly user?: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly isAdmin: boolean
    readonly hasPassword: boolean
    /** Whether signing in requires a code. */
    readonly hasTotp: boolean
    /** Whether the user may change their email address. */
    readonly mayChangeEmail: boolean
  }
  /** The owner that the page acts for, and all it could act for. */
  readonly owner?: Owner
  readonly owners?: readonly Owner[]
  /** Whether invitations are mailed. */
  readonly mails?: boolean
  /** A message from the administrators to all users. */
  readonly announcement?: string
  readonly methods: { readonly password: boolean; readonly passkey: boolean; readonly oidc?: { readonly name: string } }
}

export const noMethods: Session['methods'] = { password: false, passkey: false }

/** Undefined until loaded. */
export const sessionStore = createStore<Session | undefined>(undefined)

/** Whether API calls can succeed: the user is signed in, or need not be. */
export function mayConvert(session: Session | undefined): boolean {
  return session !== undefined && (session.signedIn || session.mode === 'open')
}
