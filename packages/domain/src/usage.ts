import type { OperationKind } from './operation-kind.ts'

/** The input and output format of a task; empty if it has none or they are unknown. */
export interface UsagePair {
  readonly from: string
  readonly to: string
}

/** The parts of an ended task that usage needs. */
export interface UsedTask {
  readonly kind: OperationKind
  /** The format of its first input. */
  readonly from?: string | undefined
  /** The requested output format, as the caller wrote it. */
  readonly to?: string | null | undefined
  /** The format of the first file that it created. */
  readonly made?: string | undefined
}

/**
 * The pair a task is counted under. Ignores text that cannot be a format name, so that callers cannot create rows with
 * arbitrary text.
 */
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
