import type { UsageRow } from '@lathe/contract'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Card } from '../card.tsx'
import { NumberTable } from '../number-table.tsx'

const shown = 10

interface UsageTableProps {
  readonly title: string
  /** The heading of the first column. */
  readonly label: string
  readonly rows: readonly UsageRow[]
  /** The name of a row, unique in the table; rows without a name are left out. */
  nameOf(row: UsageRow): string | undefined
}

/** The usage by one dimension, most frequent first. */
export function UsageTable({ title, label, rows, nameOf }: UsageTableProps) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const named = rows
    .map((row) => ({ ...row, name: nameOf(row) }))
    .filter(({ name }) => name !== undefined)
    .toSorted((a, b) => b.completed - a.completed)
    .slice(0, shown)
  if (named.length === 0) return null
  return (
    <Card>
      <h2 className="border-b px-5 py-4 text-[17px] font-semibold tracking-tight">{title}</h2>
      <NumberTable
        label={title}
        columns={[label, t('usage.tasks'), t('usage.failures'), t('usage.minutesUsed'), t('usage.size')]}
        rows={named.map(({ name, completed, failed, minutes, bytes }) => ({
          key: name ?? '',
          name: <bdi>{name}</bdi>,
          cells: [
            formats.count(completed),
            formats.count(failed),
            formats.count(Math.round(minutes * 10) / 10),
            formats.bytes(bytes),
          ],
        }))}
      />
    </Card>
  )
}
