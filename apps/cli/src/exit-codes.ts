/** How the program ends: what scripts can rely on. */
export const exitCodes = {
  ok: 0,
  someFailed: 1,
  usage: 2,
  signIn: 3,
  server: 4,
  interrupted: 130,
} as const

/** Something the caller can mend in the command itself. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Nobody is signed in, and cannot be this way. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}
