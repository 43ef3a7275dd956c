import { randomBytes } from 'node:crypto'

// 96 bits, 16 characters of text.
const passwordBytes = 12

/** A password for another user, to be changed after the first sign-in. */
export function newPassword(): string {
  return randomBytes(passwordBytes).toString('base64url')
}
