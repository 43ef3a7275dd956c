import type { Mail } from './mailer.ts'
import { toLine } from './to-line.ts'

/** The contents of an invitation mail. */
export interface InvitationFacts {
  readonly to: string
  readonly team: string
  readonly inviter: string
  readonly url: string
  readonly expiresAt: Date
}

/** The message with the link of an invitation. Names are user input: they are included as text, on one line and cut. */
export function toInvitationMail({ to, team, inviter, url, expiresAt }: InvitationFacts): Mail {
  const [who, what] = [toLine(inviter), toLine(team)]
  return {
    to,
    subject: `${who} invites you to ${what} on Lathe`,
    text: `${who} invites you to join the team ${what} on Lathe.

Open this link to accept. It works once, until ${expiresAt.toISOString().slice(0, 10)}:
${url}

If you do not know ${who}, ignore this message.
`,
  }
}
