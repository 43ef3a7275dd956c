import { type AuditActor, newPassword, setupUrl } from '@lathe/accounts'
import { deleteSessionsOf, type LoginRecord, updateEmail } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { AdminError } from './admin-error.ts'
import type { Command, Outcome } from './commands.ts'
import type { AdminContext } from './context.ts'

/** Commands about users who sign in. */
export const peopleCommands = {
  async 'setup-link'({ setup, publicUrl }) {
    const link = await setup.createLink()
    if (link === undefined) {
      throw new AdminError(
        'There are people who can sign in already. A lost password: reset-password --email <address>',
      )
    }
    const url = setupUrl(publicUrl, link)
    return { data: { url }, text: `Open this link to set up Lathe (works once, for 24 hours):\n  ${url}` }
  },

  async 'reset-password'({ logins, database, audit }, flags) {
    const login = await findPerson(logins, flags.email)
    const password = newPassword()
    await database.transaction(async (tx) => {
      await logins.setPassword(tx, login, password)
      await deleteSessionsOf(tx, login.userId)
      await audit(tx, byOperator(login.userId), { action: 'password.changed' })
    })
    const { userId, email } = login
    return {
      data: { user: userId, email, password },
      text: `${passwordText(email, password)}\nAll sessions were ended.`,
    }
  },

  async 'confirm-email'({ logins, database, audit }, flags) {
    const { userId, email } = await findPerson(logins, flags.email)
    await database.transaction(async (tx) => {
      await updateEmail(tx, { userId, email, emailProof: 'administrator' })
      const detail = { email, confirmed: true }
      await audit(tx, byOperator(userId), { action: 'account.changed', subjectId: userId, detail })
    })
    return { data: { user: userId, email }, text: `${email} belongs to the user ${userId}.` }
  },

  async 'remove-second-factor'({ logins, totp, database, audit }, flags) {
    const { userId, email } = await findPerson(logins, flags.email)
    await database.transaction(async (tx) => {
      if (!(await totp.remove(tx, userId))) throw new AdminError(`${email} has no second factor.`)
      await audit(tx, byOperator(userId), { action: 'totp.removed' })
    })
    return { data: { user: userId, email }, text: `${email} signs in without a second factor now.` }
  },
} as const satisfies Readonly<Record<string, Command>>

async function findPerson(logins: AdminContext['logins'], email: string | undefined): Promise<LoginRecord> {
  if (!email) throw new AdminError('--email is missing')
  const login = await logins.find(email)
  if (!login) throw new AdminError(`Nobody signs in as ${email}.`)
  return login
}

/** Creates a user who signs in with a password that must be changed at once. */
export async function createPerson(
  { logins, database, audit }: AdminContext,
  { name, email, isAdmin }: { readonly name: string; readonly email: string; readonly isAdmin: boolean },
): Promise<Outcome & { readonly id: string }> {
  const password = newPassword()
  const { userId } = await database.transaction(async (tx) => {
    const made = await logins.create(tx, { name, email, emailProof: 'administrator', password, isAdmin })
    const detail = { email: made.email, isAdmin }
    await audit(tx, byOperator(made.userId), { action: 'account.created', subjectId: made.userId, detail })
    return made
  })
  const text = `User ${name}\n  id     ${userId}\n  ${passwordText(email, password)}`
  return { id: userId, data: { id: userId, name, email, password, isAdmin }, text }
}

/** Only the host knows who runs commands on it. */
export const byOperator = (ownerId: ObjectId): AuditActor => ({ ownerId, via: 'host' })

function passwordText(email: string, password: string): string {
  return `${email} signs in with ${password} (shown once; change it after signing in).`
}
