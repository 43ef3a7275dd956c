import { randomBytes } from 'node:crypto'

// 96 bits, as a text of 16 characters.
const passwordBytes = 12

/** A password for somebody else, to be changed after the first sign-in. */
export function newPassword(): string {
  return randomBytes(passwordBytes).toString('base64url')
}
