import {
  countToday,
  type Executor,
  findLoginOf,
  type LoginRecord,
  lockUser,
  renameUser,
  updateEmail,
} from '@lathe/database'
import { invalidField, Problem } from '@lathe/domain'
import type { Audit, AuditActor } from './audit.ts'
import { normalizeEmail } from './logins.ts'

/** What users change in their own profile; other fields stay. */
export interface ProfileChange {
  readonly name?: string
  readonly email?: string
}

/**
 * Changes the profile of the user who acts, in a transaction; throws a Problem if the email address belongs to another
 * account.
 */
export type ChangeProfile = (tx: Executor, change: ProfileChange, actor: AuditActor) => Promise<LoginRecord>

// Each change mails the previous address, which nobody has proven.
const changesPerDay = 5

/** Changes names and email addresses, with an entry in the audit log. */
export function createProfileChanges({ audit }: { readonly audit: Audit }): ChangeProfile {
  async function changeEmail(tx: Executor, { userId, email: from }: LoginRecord, email: string, actor: AuditActor) {
    if ((await countToday(tx, `email changes of ${userId}`)) > changesPerDay) {
      const msg = `You have changed your email address ${changesPerDay} times today. Continue tomorrow (UTC).`
      throw new Problem('forbidden', { msg })
    }
    // Nobody checks that the user receives mail there.
    if (!(await updateEmail(tx, { userId, email, emailProof: 'nobody' }))) {
      throw invalidField('email', 'is taken by another account.', 'conflict')
    }
    await audit(tx, actor, { action: 'account.changed', subjectId: userId, detail: { from, email } })
  }

  return async (tx, change, actor) => {
    const { ownerId: userId } = actor
    const before = (await lockUser(tx, userId)) ? await findLoginOf(tx, userId) : undefined
    if (!before) throw new Problem('not_found')
    const name = change.name ?? before.name
    const email = change.email === undefined ? before.email : normalizeEmail(change.email)
    if (name !== before.name) {
      await renameUser(tx, { userId, name })
      await audit(tx, actor, { action: 'account.changed', subjectId: userId, detail: { from: before.name, name } })
    }
    if (email !== before.email) await changeEmail(tx, before, email, actor)
    return { ...before, name, email, emailProof: email === before.email ? before.emailProof : 'nobody' }
  }
}
