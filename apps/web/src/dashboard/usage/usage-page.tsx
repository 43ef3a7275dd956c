import type { Account, Usage, UsageRow } from '@lathe/contract'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useFormats } from '../../lib/formats.ts'
import { Notice } from '../../ui/notice.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Fact, Facts } from '../facts.tsx'
import { Days } from './days.tsx'
import { UsageTable } from './usage-table.tsx'

const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call<Account>('/v1/account', { signal }),
})

const usageQuery = (groupBy: Usage['groupBy'][number]) =>
  queryOptions({
    queryKey: ['usage', groupBy],
    queryFn: ({ signal }) => call<Usage>(`/v1/account/usage?group_by=${groupBy}&per_page=200`, { signal }),
  })

/** `/usage`: the usage of the account in the last 30 days, and its limits. */
export function UsagePage() {
  const { t } = useTranslation('dashboard')
  return (
    <DashboardPage title={t('usage.title')} text={t('usage.text')}>
      <Plan />
      <Month />
    </DashboardPage>
  )
}

function Plan() {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const { data, error } = useQuery(accountQuery)
  if (error) return <Notice tone="bad">{error.message}</Notice>
  if (!data) return <RowsSkeleton rows={1} />
  const { usage, plan, limits } = data
  const of = (most: string | undefined) => (most === undefined ? t('usage.unlimited') : t('usage.of', { most }))
  const minutes = plan.minutesPerMonth === null ? undefined : formats.count(plan.minutesPerMonth)
  const stored = limits.storedBytes === null ? undefined : formats.bytes(limits.storedBytes)
  return (
    <Facts>
      <Fact label={t('usage.minutes')} value={formats.count(Math.round(usage.minutes * 10) / 10)} note={of(minutes)} />
      <Fact label={t('usage.stored')} value={formats.bytes(usage.storedBytes)} note={of(stored)} />
      <Fact label={t('usage.running')} value={formats.count(usage.runningTasks)} note={of(formats.count(plan.slots))} />
      <Fact
        label={t('usage.waiting')}
        value={formats.count(usage.waitingTasks)}
        note={of(limits.openTasks === null ? undefined : formats.count(limits.openTasks))}
      />
    </Facts>
  )
}

function Month() {
  const { t } = useTranslation('dashboard')
  const [days, pairs, operations, engines] = useQueries({
    queries: [usageQuery('day'), usageQuery('pair'), usageQuery('operation'), usageQuery('engine')],
  })
  const error = days.error ?? pairs.error ?? operations.error ?? engines.error
  if (error) return <Notice tone="bad">{error.message}</Notice>
  if (!days.data || !pairs.data || !operations.data || !engines.data) return <RowsSkeleton rows={4} />
  const { completed, failed, canceled } = days.data.total
  if (completed + failed + canceled === 0) {
    return (
      <Card>
        <Empty title={t('usage.none')} text={t('usage.noneText')} />
      </Card>
    )
  }
  return (
    <>
      <Days usage={days.data} />
      <UsageTable title={t('usage.pairs')} label={t('usage.pair')} rows={pairs.data.docs} nameOf={pairOf} />
      <UsageTable
        title={t('usage.operations')}
        label={t('usage.operation')}
        rows={operations.data.docs}
        nameOf={({ operation }) => operation}
      />
      <UsageTable
        title={t('usage.engines')}
        label={t('usage.engine')}
        rows={engines.data.docs}
        nameOf={({ engine }) => engine ?? t('usage.noEngine')}
      />
    </>
  )
}

function pairOf({ inputFormat, outputFormat }: UsageRow): string | undefined {
  return outputFormat ? `${(inputFormat ?? '?').toUpperCase()} → ${outputFormat.toUpperCase()}` : undefined
}
