import type { AuditEntry, AuditPage } from '@lathe/contract'
import { call } from '../../api/client.ts'
import { type AuditFilter, toAuditQuery } from './audit-filter.ts'

export type ExportFormat = 'csv' | 'jsonl'

const perPage = 200
const mostPages = 250
const columns = ['createdAt', 'action', 'userId', 'via', 'viaId', 'subjectId', 'address', 'detail', 'id'] as const

/** Loads all matching entries, newest first: at most 50,000, so that they fit in the browser's memory. */
export async function loadAll(filter: AuditFilter): Promise<readonly AuditEntry[]> {
  const { after: _after, before: _before, ...narrowed } = filter
  const entries: AuditEntry[] = []
  let cursor: string | null | undefined
  for (let n = 0; n < mostPages && cursor !== null; n += 1) {
    const query = toAuditQuery({ ...narrowed, ...(cursor && { after: cursor }) }, perPage)
    const page: AuditPage = await call<AuditPage>(`/v1/audit?${query}`)
    entries.push(...page.docs)
    cursor = page.nextCursor
  }
  return entries
}

/** Entries as a file for other programs. */
export function toFile(entries: readonly AuditEntry[], format: ExportFormat): string {
  if (format === 'jsonl') return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  const rows = entries.map((entry) => columns.map((name) => toCell(entry[name])).join(','))
  return [columns.join(','), ...rows, ''].join('\r\n')
}

/**
 * A cell in the format of RFC 4180. A cell that a spreadsheet would read as a formula gets a quote in front, because
 * names are untrusted.
 */
function toCell(value: unknown): string {
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
