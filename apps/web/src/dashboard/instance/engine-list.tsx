import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { NumberTable } from '../number-table.tsx'
import { Part } from '../part.tsx'
import type { EngineState } from './queries.ts'

/** The families of engines, how many workers serve each, and their tasks. */
export function EngineList({ engines }: { readonly engines: readonly EngineState[] }) {
  const { t } = useTranslation('admin')
  const formats = useFormats()
  return (
    <Part title={t('engines.title')} text={t('engines.text')}>
      <NumberTable
        label={t('engines.title')}
        columns={[
          t('engines.family'),
          t('workers.title'),
          t('engines.running'),
          t('queues.waiting'),
          t('queues.oldest'),
        ]}
        rows={engines.map(({ family, workers, running, waiting, oldestMs }) => ({
          key: family,
          name: <code className="font-mono text-[13px]">{family}</code>,
          cells: [
            workers === 0 ? (
              <Badge key="none" tone="warn">
                {t('engines.noWorker')}
              </Badge>
            ) : (
              formats.count(workers)
            ),
            formats.count(running),
            formats.count(waiting),
            waiting > 0 ? formats.duration(oldestMs / 1000) : '–',
          ],
        }))}
      />
    </Part>
  )
}
