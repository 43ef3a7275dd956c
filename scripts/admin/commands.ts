import { isScope, type KeyScope, limits, scopes, usualScopes } from '@lathe/contract'
import { migrate } from '@lathe/database'
import { isObjectId } from '@lathe/domain'
import { formatKeys, purposesOf, type Role } from '@lathe/runtime'
import { AdminError } from './admin-error.ts'
import { backup } from './backup.ts'
import { type AdminContext, defaultSlots } from './context.ts'
import { byOperator, createPerson, peopleCommands } from './people-commands.ts'
import { restore } from './restore.ts'

export interface Flags {
  readonly name?: string
  readonly email?: string
  readonly admin?: boolean
  readonly slots?: string
  readonly monthlyMinutes?: string
  readonly storageBytes?: string
  readonly taskMinutes?: string
  readonly user?: string
  readonly key?: string
  readonly scopes?: string
  readonly role?: string
  readonly into?: string
  readonly from?: string
  readonly replace?: boolean
  readonly withKey?: boolean
  readonly keepLinks?: boolean
}

/** The result of a command: data for scripts, text for people. */
export interface Outcome {
  readonly data: Readonly<Record<string, unknown>>
  readonly text: string
}

export type Command = (context: AdminContext, flags: Flags) => Promise<Outcome>

/** Brings the database to the newest schema. The only command that needs no key: the chart's Job has none. */
export async function migrateDatabase(url: string): Promise<Outcome> {
  const applied = await migrate(url)
  return { data: { applied }, text: applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'Nothing to do.' }
}

/** All other commands by name. */
export const commands = {
  async backup({ directUrl, keys }, flags) {
    const databaseUrl = needDirect(directUrl)
    const into = need(flags.into, '--into')
    const manifest = await backup({ databaseUrl, keys, into })
    const { counts, takenAt, dump } = manifest
    const text = `Wrote the record as of ${takenAt} to ${into}: ${rows(counts)}, ${dump.bytes} bytes.
It is of no use without LATHE_SECRET: keep that elsewhere. Stored files are not in it (docs/backup.md).`
    return { data: { into, ...manifest }, text }
  },

  async restore({ directUrl, keys }, flags) {
    const databaseUrl = needDirect(directUrl)
    const from = need(flags.from, '--from')
    const restored = await restore({ databaseUrl, keys, from, replace: flags.replace === true })
    const { manifest, applied, strangeKeys } = restored
    const lines = [
      `Restored the record as of ${manifest.takenAt}: ${rows(manifest.counts)}.`,
      ...(applied.length > 0 ? [`Applied: ${applied.join(', ')}`] : []),
      ...strangeKeys.map(
        (purpose) =>
          `WARNING: the backup was made with another LATHE_SECRET: its ${purpose} cannot be used with this one.`,
      ),
      'Next: start api, worker and scheduler. Revoke keys again that were revoked after the backup.',
    ]
    return { data: { from, applied, strangeKeys, counts: manifest.counts }, text: lines.join('\n') }
  },

  ...peopleCommands,

  async 'create-user'(context, flags) {
    if (flags.email !== undefined) {
      return createPerson(context, {
        name: need(flags.name, '--name'),
        email: flags.email,
        isAdmin: flags.admin === true,
      })
    }
    const slots = flags.slots === undefined ? defaultSlots : count(flags.slots, '--slots', 1)
    const user = await context.accounts.createUser({ name: need(flags.name, '--name'), slots })
    const text = `User ${user.name}\n  id     ${user.id}\n  slots  ${slots}`
    if (!flags.withKey) return { data: { ...user, slots }, text }
    const key = await createKey(context, { ...flags, user: user.id, name: 'first' })
    return { data: { ...key.data, user: user.id, slots }, text: `${text}\n\n${key.text}` }
  },

  async 'set-plan'({ accounts, database, audit }, flags) {
    const userId = id(flags.user, '--user')
    const change = {
      ...(flags.slots !== undefined && { slots: count(flags.slots, '--slots', 1) }),
      ...(flags.monthlyMinutes !== undefined && {
        minutesPerMonth: minutes(flags.monthlyMinutes, '--monthly-minutes', 0),
      }),
      ...(flags.taskMinutes !== undefined && {
        minutesPerTask: minutes(flags.taskMinutes, '--task-minutes', 1),
      }),
      ...(flags.storageBytes !== undefined && { storageBytes: storageQuota(flags.storageBytes) }),
    }
    const plan = await database.transaction(async (tx) => {
      const changed = await accounts.setPlan(userId, change, tx)
      const isChange = Object.keys(change).length > 0
      if (changed && isChange) await audit(tx, byOperator(userId), { action: 'plan.changed', detail: change })
      return changed
    })
    if (!plan) throw new AdminError(`There is no user ${userId}.`)
    const lines = [
      `slots            ${plan.slots}`,
      `minutes per month  ${plan.minutesPerMonth ?? 'without limit'} (used ${(plan.usedMs / 60_000).toFixed(1)})`,
      `minutes per task   ${plan.minutesPerTask ?? 'without limit'}`,
      `bytes of storage   ${plan.storageBytes ?? 'as STORED_BYTES_PER_OWNER'}`.replace(/ 0$/, ' without limit'),
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
    const keepLinks = flags.keepLinks === true
    const revoked = await accounts.revokeKey(id(flags.key, '--key'), { keepLinks })
    if (!revoked) throw new AdminError('There is no such key, or it was revoked before.')
    return {
      data: { ...revoked },
      text: `Revoked …${revoked.last4} (${revoked.name}). It stops working within 5 seconds. ${keepLinks ? 'Links and upload forms of its owner go on working.' : 'Links and upload forms that its owner had are void.'}`,
    }
  },

  async 'derive-keys'({ keys }, flags) {
    const role = need(flags.role, '--role')
    if (!isRole(role)) throw new AdminError(`--role must be one of ${Object.keys(purposesOf).join(', ')}`)
    const text = formatKeys(keys, purposesOf[role])
    return { data: { role, keys: text }, text }
  },
} as const satisfies Readonly<Record<string, Command>>

export type CommandName = keyof typeof commands

async function createKey({ accounts }: AdminContext, flags: Flags): Promise<Outcome> {
  const userId = id(flags.user, '--user')
  const created = await accounts.createKey({ userId, name: flags.name ?? 'unnamed', scopes: parseScopes(flags.scopes) })
  if (!created) throw new AdminError(`There is no user ${userId}.`)
  const { key, record } = created
  const text = `API key (shown once, keep it secret)\n  ${key}\n  id      ${record.id}\n  scopes  ${record.scopes.join(', ')}`
  return { data: { key, id: record.id, user: userId, name: record.name, scopes: record.scopes }, text }
}

function rows(counts: Readonly<Record<string, number>>): string {
  const { users = 0, api_keys: keys = 0, webhooks = 0, tasks = 0 } = counts
  return `${users} users, ${keys} API keys, ${webhooks} webhooks, ${tasks} tasks`
}

const isRole = (name: string): name is Role => Object.hasOwn(purposesOf, name)

function parseScopes(text: string | undefined): readonly KeyScope[] {
  if (text === undefined) return usualScopes
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

/** Bytes of storage: null for the setting, 0 for no limit. */
function storageQuota(value: string): number | null {
  if (value === 'default') return null
  const bytes = Number(value)
  if (/^\d+$/.test(value) && bytes <= limits.planStorageBytes) return bytes
  throw new AdminError(`--storage-bytes must be a whole number up to ${limits.planStorageBytes}, or default`)
}

/** pg_dump and psql change settings of their session, which a pooler would hand to others. */
function needDirect(url: string | undefined): string {
  if (url === undefined) {
    throw new AdminError('This command cannot work through a pooler. Set DATABASE_DIRECT_URL to PostgreSQL itself.')
  }
  return url
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
