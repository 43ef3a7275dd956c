import { createStore } from '../lib/store.ts'

/** How this installation knows its users; `none` has API keys alone. */
export type Mode = 'none' | 'accounts' | 'proxy' | 'open'

/** What somebody is to a team. */
export type Role = 'owner' | 'admin' | 'member'

/** Somebody whom the page can act for. */
export interface Owner {
  readonly id: string
  readonly name: string
  readonly kind: 'person' | 'team' | 'anonymous'
  readonly role: Role
}

/** Who is here, as `GET /auth/session` tells. */
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
    /** Whether it has to show a code to sign in. */
    readonly hasTotp: boolean
  }
  /** Whom the page acts for, and whom it could. */
  readonly owner?: Owner
  readonly owners?: readonly Owner[]
  /** Whether invitations are mailed. */
  readonly mails?: boolean
  /** What the administrators say to everybody. */
  readonly announcement?: string
  readonly methods: { readonly password: boolean; readonly passkey: boolean; readonly oidc?: { readonly name: string } }
}

export const noMethods: Session['methods'] = { password: false, passkey: false }

/** Undefined until it is known. */
export const sessionStore = createStore<Session | undefined>(undefined)

/** Whether calls to the API have a chance: somebody is signed in, or nobody needs to be. */
export function mayConvert(session: Session | undefined): boolean {
  return session !== undefined && (session.signedIn || session.mode === 'open')
}
