import type { OperationKind } from './operation-kind.ts'

/** From which format to which a task worked; empty where it did not, or where it is not known. */
export interface UsagePair {
  readonly from: string
  readonly to: string
}

/** What is known of a task that ends. */
export interface UsedTask {
  readonly kind: OperationKind
  /** The format of its first input. */
  readonly from?: string | undefined
  /** The format it was to give, as its caller wrote it. */
  readonly to?: string | null | undefined
  /** The format of the first file it has made. */
  readonly made?: string | undefined
}

/** The pair a task is counted under. Only what is known to be a format counts as one: callers must not invent rows. */
export function usagePairOf({ kind, from = '', to, made }: UsedTask): UsagePair {
  if (kind !== 'process') return { from: '', to: '' }
  return { from, to: made ?? (plainFormat(to) || from) }
}

function plainFormat(text: string | null | undefined): string {
  const plain = text?.trim().replace(/^\.+/, '').toLowerCase() ?? ''
  return /^[a-z0-9][a-z0-9.+-]{0,31}$/.test(plain) ? plain : ''
}

/** What usage can be grouped by. */
export const usageGroups = ['day', 'operation', 'pair', 'engine'] as const

export type UsageGroup = (typeof usageGroups)[number]
