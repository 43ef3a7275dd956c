import type { Mail } from './mailer.ts'
import { toLine, toName } from './to-line.ts'

/** The contents of the mail to the previous address of an account. */
export interface EmailChangeFacts {
  readonly from: string
  readonly to: string
  readonly name: string
  readonly at: Date
}

/** Tells the previous address of an account that it no longer signs in, so that its owner notices a theft. */
export function toEmailChangeMail({ from, to, name, at }: EmailChangeFacts): Mail {
  return {
    to: from,
    subject: 'Your email address on Lathe was changed',
    text: `The account of ${toName(name)} on Lathe now has the email address ${toLine(to)}, since ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.
You can no longer sign in with this address.

If you did not change it, ask the administrator of this Lathe for help at once.
`,
  }
}
