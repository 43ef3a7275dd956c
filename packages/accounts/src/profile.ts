import { type Executor, findLoginOf, type LoginRecord, lockUser, renameUser, updateEmail } from '@lathe/database'
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

/** Changes names and email addresses, with an entry in the audit log. */
export function createProfileChanges({ audit }: { readonly audit: Audit }): ChangeProfile {
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
    if (email !== before.email) {
      // Nobody checks that the user receives mail there.
      if (!(await updateEmail(tx, { userId, email, emailProof: 'nobody' }))) {
        throw invalidField('email', 'is taken by another account.', 'conflict')
      }
      await audit(tx, actor, { action: 'account.changed', subjectId: userId, detail: { from: before.email, email } })
    }
    return { ...before, name, email, emailProof: email === before.email ? before.emailProof : 'nobody' }
  }
}
