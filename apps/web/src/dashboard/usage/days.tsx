import type { Usage } from '@lathe/contract'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Card } from '../card.tsx'

const dayMs = 24 * 3600 * 1000

/** A bar for every day; screen readers get a table with the numbers. */
export function Days({ usage }: { readonly usage: Usage }) {
  const { t, i18n } = useTranslation('dashboard')
  const formats = useFormats()
  const date = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const byDay = new Map(usage.docs.map((row) => [row.day, row]))
  const days = daysBetween(usage.from, usage.to).map((day) => {
    const { completed = 0, failed = 0 } = byDay.get(day) ?? {}
    return { day, completed, failed, label: date.format(new Date(day)) }
  })
  const describe = (completed: number, failed: number) =>
    `${t('usage.completed', { count: completed })}, ${t('usage.failed', { count: failed })}`
  const most = Math.max(1, ...days.map(({ completed, failed }) => completed + failed))
  const { total } = usage
  return (
    <Card>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b px-5 py-4">
        <h2 className="text-[17px] font-semibold tracking-tight">{t('usage.days')}</h2>
        <p className="num text-[13px] text-muted">
          {t('usage.completed', { count: total.completed })} · {t('usage.failed', { count: total.failed })} ·{' '}
          {formats.bytes(total.bytes)}
        </p>
      </div>
      <div aria-hidden="true" className="px-5 pt-3">
        <p className="num pb-1 text-[13px] text-muted">{formats.count(most)}</p>
        <svg viewBox={`0 0 ${days.length * 10} 100`} preserveAspectRatio="none" className="h-36 w-full">
          <title>{t('usage.days')}</title>
          {days.map(({ day, completed, failed, label }, n) => {
            const [good, bad] = [(completed / most) * 98, (failed / most) * 98]
            return (
              <g key={day} className="group">
                <title>{`${label}: ${describe(completed, failed)}`}</title>
                {/* The pointer finds the title anywhere above the day. */}
                <rect x={n * 10} width="10" height="100" className="fill-transparent group-hover:fill-accent/10" />
                <rect x={n * 10 + 1} width="8" y={100 - good} height={good} className="fill-accent" />
                <rect x={n * 10 + 1} width="8" y={100 - good - bad} height={bad} className="fill-bad" />
              </g>
            )
          })}
        </svg>
      </div>
      <div aria-hidden="true" className="num flex justify-between border-t px-5 py-2 text-[13px] text-muted">
        <span>{days[0]?.label}</span>
        <span>{days.at(-1)?.label}</span>
      </div>
      <table className="sr-only">
        <caption>{t('usage.days')}</caption>
        <tbody>
          {days
            .filter(({ completed, failed }) => completed + failed > 0)
            .map(({ day, label, completed, failed }) => (
              <tr key={day}>
                <th scope="row">{label}</th>
                <td>{t('usage.completed', { count: completed })}</td>
                <td>{t('usage.failed', { count: failed })}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Card>
  )
}

function daysBetween(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const count = Math.min(366, Math.floor((last - first) / dayMs) + 1)
  return Array.from({ length: count }, (_, n) => new Date(first + n * dayMs).toISOString().slice(0, 10))
}
