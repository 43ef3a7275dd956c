import type { Mail } from './mailer.ts'

/** What is known of an invitation. */
export interface InvitationFacts {
  readonly to: string
  readonly team: string
  readonly inviter: string
  readonly url: string
  readonly expiresAt: Date
}

/** The message with the link of an invitation. Names are people's own words: they are text, on one line, and not long. */
export function toInvitationMail({ to, team, inviter, url, expiresAt }: InvitationFacts): Mail {
  const [who, what] = [line(inviter), line(team)]
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

// Control characters would end a header or a line.
const line = (text: string) =>
  text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 100)
