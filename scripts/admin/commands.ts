import { type Accounts, isScope, type Scope, scopes } from '@lathe/accounts'
import { migrate } from '@lathe/database'
import { isObjectId } from '@lathe/domain'
import { formatKeys, type KeyRing, purposesOf, type Role } from '@lathe/runtime'

export interface AdminContext {
  readonly accounts: Accounts
  readonly keys: KeyRing
  readonly databaseUrl: string
}

export interface Flags {
  readonly name?: string
  readonly slots?: string
  readonly 'minutes-a-month'?: string
  readonly 'minutes-a-task'?: string
  readonly user?: string
  readonly key?: string
  readonly scopes?: string
  readonly role?: string
  readonly 'with-key'?: boolean
}

/** What a command gives: data for scripts, text for people. */
export interface Outcome {
  readonly data: Readonly<Record<string, unknown>>
  readonly text: string
}

/** A mistake of whoever typed the command. */
export class AdminError extends Error {}

type Command = (context: AdminContext, flags: Flags) => Promise<Outcome>

// Tasks of one user that run at once, unless it is given more.
const defaultSlots = 10

/** Every command by its name. */
export const commands: Readonly<Record<string, Command>> = {
  async migrate({ databaseUrl }) {
    const applied = await migrate(databaseUrl)
    return { data: { applied }, text: applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'Nothing to do.' }
  },

  async 'create-user'(context, flags) {
    const slots = flags.slots === undefined ? defaultSlots : count(flags.slots, '--slots', 1)
    const user = await context.accounts.createUser({ name: need(flags.name, '--name'), slots })
    const text = `User ${user.name}\n  id     ${user.id}\n  slots  ${slots}`
    if (!flags['with-key']) return { data: { ...user, slots }, text }
    const key = await createKey(context, { ...flags, user: user.id, name: 'first' })
    return { data: { ...key.data, user: user.id, slots }, text: `${text}\n\n${key.text}` }
  },

  async 'set-plan'({ accounts }, flags) {
    const userId = id(flags.user, '--user')
    const change = {
      ...(flags.slots !== undefined && { slots: count(flags.slots, '--slots', 1) }),
      ...(flags['minutes-a-month'] !== undefined && {
        minutesAMonth: minutes(flags['minutes-a-month'], '--minutes-a-month', 0),
      }),
      ...(flags['minutes-a-task'] !== undefined && {
        minutesATask: minutes(flags['minutes-a-task'], '--minutes-a-task', 1),
      }),
    }
    const plan = await accounts.setPlan(userId, change)
    if (!plan) throw new AdminError(`There is no user ${userId}.`)
    const lines = [
      `slots            ${plan.slots}`,
      `minutes a month  ${plan.minutesAMonth ?? 'without limit'} (used ${(plan.usedMs / 60_000).toFixed(1)})`,
      `minutes a task   ${plan.minutesATask ?? 'without limit'}`,
    ]
    return { data: { ...plan }, text: lines.join('\n') }
  },

  'create-key': createKey,

  async 'list-keys'({ accounts }, flags) {
    const keys = await accounts.listKeys(id(flags.user, '--user'))
    const lines = keys.map((key) => {
      const state = key.revokedAt ? 'revoked' : `last used ${key.lastUsedAt?.toISOString() ?? 'never'}`
      return `${key.id}  …${key.last4}  ${key.name}  ${key.scopes.join(',')}  ${state}`
    })
    return { data: { keys }, text: lines.join('\n') || 'No keys.' }
  },

  async 'revoke-key'({ accounts }, flags) {
    const revoked = await accounts.revokeKey(id(flags.key, '--key'))
    if (!revoked) throw new AdminError('There is no such key, or it was revoked before.')
    return {
      data: { ...revoked },
      text: `Revoked …${revoked.last4} (${revoked.name}). It stops working within 5 seconds.`,
    }
  },

  async 'derive-keys'({ keys }, flags) {
    const role = need(flags.role, '--role')
    if (!isRole(role)) throw new AdminError(`--role must be one of ${Object.keys(purposesOf).join(', ')}`)
    const text = formatKeys(keys, purposesOf[role])
    return { data: { role, keys: text }, text }
  },
}

async function createKey({ accounts }: AdminContext, flags: Flags): Promise<Outcome> {
  const userId = id(flags.user, '--user')
  const created = await accounts.createKey({ userId, name: flags.name ?? 'unnamed', scopes: parseScopes(flags.scopes) })
  if (!created) throw new AdminError(`There is no user ${userId}.`)
  const { key, record } = created
  const text = `API key (shown once, keep it secret)\n  ${key}\n  id      ${record.id}\n  scopes  ${record.scopes.join(', ')}`
  return { data: { key, id: record.id, user: userId, name: record.name, scopes: record.scopes }, text }
}

const isRole = (name: string): name is Role => Object.hasOwn(purposesOf, name)

function parseScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return scopes
  const wanted = text.split(',').map((scope) => scope.trim())
  const unknown = wanted.filter((scope) => !isScope(scope))
  if (unknown.length > 0) throw new AdminError(`Unknown scope ${unknown.join(', ')}. There are: ${scopes.join(', ')}`)
  return wanted.filter(isScope)
}

function count(value: string, flag: string, least: number): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isInteger(number) && number >= least && number < 2 ** 31) return number
  throw new AdminError(`${flag} must be a whole number from ${least}`)
}

function minutes(value: string, flag: string, least: number): number | null {
  return value === 'none' ? null : count(value, flag, least)
}

function need(value: string | undefined, flag: string): string {
  if (!value) throw new AdminError(`${flag} is missing`)
  return value
}

function id(value: string | undefined, flag: string): string {
  const text = need(value, flag)
  if (!isObjectId(text)) throw new AdminError(`${flag} must be an id: 24 hexadecimal digits`)
  return text.toLowerCase()
}
