import type { FormatList } from '@lathe/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queries } from '../../app/queries.ts'
import { callAuth } from '../../session/auth-client.ts'

export interface Plan {
  readonly slots: number
  /** Null means no limit. */
  readonly minutesPerMonth: number | null
  readonly minutesPerTask: number | null
  /** Null means the setting of the installation, and 0 no limit. */
  readonly storageBytes: number | null
}

/** A user or a team of this installation. */
export interface Account {
  readonly id: string
  readonly kind: 'person' | 'team'
  readonly name: string
  readonly email: string | null
  readonly isAdmin: boolean
  readonly suspendedAt: string | null
  readonly lastUsedAt: string | null
  readonly openTasks: number
  readonly storedBytes: number
  readonly minutesUsed: number
  readonly plan: Plan
}

export interface AccountChange {
  readonly isAdmin?: boolean
  readonly isSuspended?: boolean
  readonly plan?: Partial<Plan>
}

/** A new account, with the password that is shown once. */
export interface NewAccount {
  readonly id: string
  readonly email: string
  readonly password: string
}

export interface Worker {
  readonly id: string
  readonly host: string
  readonly pools: readonly string[]
  /** The families of engines it has, and those it lacks. */
  readonly serves: readonly string[]
  readonly lacks: readonly string[]
  readonly sandboxLevel: number
  readonly startedAt: string
  readonly tasks: number
  /** How many engines it can run at once; null if it does not say. */
  readonly engines: number | null
  readonly busyEngines: number
}

/** A family of engines: how many workers serve it, and its tasks. */
export interface EngineState {
  readonly family: string
  readonly workers: number
  readonly running: number
  readonly waiting: number
  readonly oldestMs: number
}

/** Tasks that wait for a worker. */
export interface Queue {
  readonly pool: 'transfer' | 'process'
  readonly lane: 'quick' | 'long' | 'alone'
  /** The family of engines they need; null if none, or not known yet. */
  readonly family: string | null
  readonly waiting: number
  readonly oldestMs: number
}

/** What is disabled: a format as input, as output, or a conversion between two formats. */
export interface DisabledFormat {
  readonly id: string
  readonly input: string | null
  readonly output: string | null
  readonly reason: string | null
  readonly disabledBy: string | null
  readonly disabledAt: string
}

export interface Instance {
  readonly workers: readonly Worker[]
  readonly engines: readonly EngineState[]
  readonly queues: readonly Queue[]
  readonly backlog: { readonly tasks: number; readonly owners: number }
  readonly announcement: string | null
  readonly disabledFormats: readonly DisabledFormat[]
}

const everyMs = 5000

export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: () => callAuth<Instance>('admin/instance'),
  refetchInterval: everyMs,
})

/** A page of accounts: those that match a part of a name or email address, older than the last of the previous page. */
export const accountsQuery = (search: string, before: string | undefined) =>
  queryOptions({
    queryKey: ['instance', 'accounts', search, before],
    queryFn: () => {
      const query = new URLSearchParams({ ...(search !== '' && { search }), ...(before && { before }) })
      return callAuth<{ data: readonly Account[]; next?: string }>(`admin/accounts?${query}`)
    },
    placeholderData: keepPreviousData,
  })

const changed = () => queries.invalidateQueries({ queryKey: ['instance'] })

export async function changeAccount(id: string, change: AccountChange): Promise<void> {
  await callAuth(`admin/accounts/${id}`, change, 'PATCH')
  await changed()
}

export async function deleteAccount(id: string): Promise<void> {
  await callAuth(`admin/accounts/${id}`, {}, 'DELETE')
  await changed()
}

export async function addAccount(person: { name: string; email: string; isAdmin: boolean }): Promise<NewAccount> {
  const made = await callAuth<NewAccount>('admin/accounts', person)
  await changed()
  return made
}

export async function announce(text: string | null): Promise<void> {
  await callAuth('admin/announcement', { text })
  await changed()
}

/** The formats that can be disabled, each under its usual name. */
export const allFormatsQuery = queryOptions({
  queryKey: ['all-formats'],
  queryFn: async () => {
    const { formats } = await call<FormatList>('/v1/query/formats')
    return formats.filter(({ alias_of }) => alias_of === undefined).map(({ ext }) => ext)
  },
})

export async function disableFormat(rule: Pick<DisabledFormat, 'input' | 'output' | 'reason'>): Promise<void> {
  await callAuth('admin/disabled-formats', rule)
  await changed()
}

export async function enableFormat(id: string): Promise<void> {
  await callAuth(`admin/disabled-formats/${id}`, {}, 'DELETE')
  await changed()
}
