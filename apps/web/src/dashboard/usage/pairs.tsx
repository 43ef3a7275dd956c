import type { Usage } from '@lathe/contract'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Card } from '../card.tsx'

const shown = 10

/** What was made of what, most often first. */
export function Pairs({ usage }: { readonly usage: Usage }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const rows = usage.docs
    .filter(({ outputFormat }) => outputFormat)
    .toSorted((a, b) => b.completed - a.completed)
    .slice(0, shown)
  if (rows.length === 0) return null
  return (
    <Card>
      <h2 className="border-b px-5 py-4 text-[17px] font-semibold tracking-tight">{t('usage.pairs')}</h2>
      <section
        aria-label={t('usage.pairs')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="overflow-x-auto -outline-offset-2"
      >
        <table className="num w-full text-sm">
          <thead className="text-start text-[13px] text-muted">
            <tr>
              <th className="px-5 py-2.5 text-start font-medium">{t('usage.pair')}</th>
              <th className="px-5 py-2.5 text-end font-medium">{t('usage.tasks')}</th>
              <th className="px-5 py-2.5 text-end font-medium">{t('usage.failures')}</th>
              <th className="px-5 py-2.5 text-end font-medium">{t('usage.size')}</th>
            </tr>
          </thead>
          <tbody className="divide-y border-t">
            {rows.map(({ inputFormat, outputFormat, completed, failed, bytes }) => (
              <tr key={`${inputFormat} ${outputFormat}`}>
                <th scope="row" className="px-5 py-2.5 text-start font-medium">
                  {(inputFormat ?? '?').toUpperCase()} → {outputFormat?.toUpperCase()}
                </th>
                <td className="px-5 py-2.5 text-end">{formats.count(completed)}</td>
                <td className="px-5 py-2.5 text-end">{formats.count(failed)}</td>
                <td className="px-5 py-2.5 text-end">{formats.bytes(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}
