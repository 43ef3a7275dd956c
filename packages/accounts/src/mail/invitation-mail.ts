import type { Mail } from './mailer.ts'
import { toName } from './to-line.ts'

/** The contents of an invitation mail. */
export interface InvitationFacts {
  readonly to: string
  readonly team: string
  readonly inviter: string
  readonly url: string
  readonly expiresAt: Date
}

const subjectChars = 40

/** The message with the link of an invitation. Names are input of users whom the recipient may not know. */
export function toInvitationMail({ to, team, inviter, url, expiresAt }: InvitationFacts): Mail {
  const [who, what] = [toName(inviter), toName(team)]
  return {
    to,
    subject: `${toName(inviter, subjectChars)} invites you to ${toName(team, subjectChars)} on Lathe`,
    text: `${who} invites you to join the team ${what} on Lathe.

Open this link to accept. It works once, until ${expiresAt.toISOString().slice(0, 10)}:
${url}

If you do not know ${who}, ignore this message.
`,
  }
}
