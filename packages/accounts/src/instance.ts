import {
  type AccountFilter,
  closeOwner,
  closeTeam,
  countAdmins,
  deleteDisabledFormat,
  type Executor,
  findInstanceAccount,
  type InstanceAccount,
  insertDisabledFormat,
  listAccounts,
  lockLogins,
  lockOwner,
  type OwnerPlan,
  putAnnouncement,
  setSuspended,
  updateLogin,
  updatePlan,
} from '@lathe/database'
import { type DisabledFormat, type IdMint, invalidField, type ObjectId, Problem } from '@lathe/domain'
import type { DeleteAccount } from './account-deletion.ts'
import type { Audit, AuditActor } from './audit.ts'

/** What an administrator changes in an account; other fields stay. */
export interface AccountChange {
  readonly isAdmin?: boolean
  readonly isSuspended?: boolean
  readonly plan?: Partial<OwnerPlan>
}

/** The administrator who makes the change. */
export type AdminActor = Omit<AuditActor, 'ownerId'> & { readonly userId: ObjectId }

/** What administrators of the instance do. Each change is written to the audit log of the affected account. */
export interface Instance {
  listAccounts(db: Executor, filter: AccountFilter): Promise<readonly InstanceAccount[]>
  /**
   * Changes an account, in a transaction; throws a Problem if there is no such account, or if no one could undo the
   * change.
   */
  changeAccount(tx: Executor, actor: AdminActor, id: ObjectId, change: AccountChange): Promise<InstanceAccount>
  /**
   * Deletes a person or a team with all it owns, in a transaction; throws a Problem if a team, or the instance, would
   * have no one left to manage it.
   */
  deleteAccount(tx: Executor, actor: AdminActor, id: ObjectId): Promise<void>
  announce(tx: Executor, actor: AdminActor, text: string | null): Promise<void>
  /** Disables a format or a conversion, in a transaction; throws a Problem if it is already disabled. */
  disableFormat(tx: Executor, actor: AdminActor, rule: Omit<DisabledFormat, 'id'>): Promise<ObjectId>
  /** Enables it again, in a transaction. */
  enableFormat(tx: Executor, actor: AdminActor, id: ObjectId): Promise<void>
}

interface InstanceParts {
  readonly audit: Audit
  readonly ids: IdMint
  readonly deleteAccount: DeleteAccount
}

/** Lists accounts and changes them. */
export function createInstance({ audit, ids, deleteAccount }: InstanceParts): Instance {
  interface AccountChange {
    readonly tx: Executor
    readonly on: AuditActor
    readonly account: InstanceAccount
  }

  async function suspend({ tx, on, account: { id, suspendedAt } }: AccountChange, isSuspended: boolean): Promise<void> {
    if (isSuspended === (suspendedAt !== null)) return
    await setSuspended(tx, id, isSuspended)
    await audit(tx, on, { action: isSuspended ? 'account.suspended' : 'account.resumed', subjectId: id })
  }

  async function setAdmin(
    { tx, on, account: { id, email, ...before } }: AccountChange,
    isAdmin: boolean,
  ): Promise<void> {
    if (isAdmin === before.isAdmin) return
    if (email === null) throw invalidField('isAdmin', 'is for people who sign in.')
    await updateLogin(tx, id, { isAdmin })
    await audit(tx, on, { action: 'account.admin_changed', subjectId: id, detail: { isAdmin } })
  }

  async function setPlan({ tx, on, account: { id } }: AccountChange, plan: Partial<OwnerPlan>): Promise<void> {
    if (Object.keys(plan).length === 0) return
    await updatePlan(tx, id, plan)
    await audit(tx, on, { action: 'plan.changed', subjectId: id, detail: { ...plan } })
  }

  async function deleteTeam({ tx, on, account: { id, name } }: AccountChange): Promise<void> {
    await closeTeam(tx, id)
    await closeOwner(tx, id)
    await audit(tx, on, { action: 'team.deleted', subjectId: id, detail: { name } })
  }

  return {
    listAccounts,
    async changeAccount(tx, actor, id, { isSuspended, isAdmin, plan }) {
      // Serializes two administrators who suspend each other.
      await lockLogins(tx)
      await requireAdmin(tx, actor)
      await lockOwner(tx, id)
      const account = await findInstanceAccount(tx, id)
      if (!account) throw new Problem('not_found')
      const change = { tx, on: { ...actor, ownerId: id }, account }
      if (isSuspended !== undefined) await suspend(change, isSuspended)
      if (isAdmin !== undefined) await setAdmin(change, isAdmin)
      if (plan) await setPlan(change, plan)
      if (account.isAdmin && (await countAdmins(tx)) === 0) {
        throw new Problem('forbidden', { msg: 'This is the last administrator. Make somebody else one first.' })
      }
      return (await findInstanceAccount(tx, id)) ?? account
    },
    async deleteAccount(tx, actor, id) {
      await lockLogins(tx)
      await requireAdmin(tx, actor)
      const found = await findInstanceAccount(tx, id)
      // Persons are locked by `deleteAccount`, in one order with their teams.
      if (found?.kind === 'team') await lockOwner(tx, id)
      // A team that its owner deleted while we waited is gone.
      const account = await findInstanceAccount(tx, id)
      if (!account) throw new Problem('not_found')
      const change = { tx, on: { ...actor, ownerId: id }, account }
      if (account.kind === 'team') await deleteTeam(change)
      else await deleteAccount(tx, { userId: id, isAdmin: account.isAdmin }, change.on)
      // No one can read the log of a deleted account, so the administrator's own log has the entry too.
      const action = account.kind === 'team' ? 'team.deleted' : 'account.deleted'
      if (id !== actor.userId) await audit(tx, { ...actor, ownerId: actor.userId }, { action, subjectId: id })
    },
    async announce(tx, actor, text) {
      await putAnnouncement(tx, text)
      const change = { action: 'announcement.changed', detail: { text } } as const
      await audit(tx, { ...actor, ownerId: actor.userId }, change)
    },
    async disableFormat(tx, actor, rule) {
      await requireAdmin(tx, actor)
      const id = ids.next()
      if (!(await insertDisabledFormat(tx, { id, ...rule, userId: actor.userId }))) {
        throw invalidField(rule.input === null ? 'output' : 'input', 'is switched off already.', 'conflict')
      }
      await audit(tx, { ...actor, ownerId: actor.userId }, { action: 'format.disabled', detail: { ...rule } })
      return id
    },
    async enableFormat(tx, actor, id) {
      await requireAdmin(tx, actor)
      const rule = await deleteDisabledFormat(tx, id)
      if (!rule) throw new Problem('not_found')
      await audit(tx, { ...actor, ownerId: actor.userId }, { action: 'format.enabled', detail: { ...rule } })
    },
  }
}

/** Throws a Problem if the actor was suspended, or is no longer an administrator, after waiting for the lock. */
async function requireAdmin(tx: Executor, { userId }: AdminActor): Promise<void> {
  const own = await findInstanceAccount(tx, userId)
  if (!own?.isAdmin || own.suspendedAt !== null) throw new Problem('forbidden')
}
