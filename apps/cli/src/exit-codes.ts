/** The exit codes that scripts can rely on. */
export const exitCodes = {
  ok: 0,
  someFailed: 1,
  usage: 2,
  signIn: 3,
  server: 4,
  interrupted: 130,
} as const

/** An error the caller can fix in the command itself. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The sign-in failed. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}
