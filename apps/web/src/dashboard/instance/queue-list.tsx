import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Empty } from '../card.tsx'
import { Dotted } from '../dotted.tsx'
import { NumberTable } from '../number-table.tsx'
import { Part } from '../part.tsx'
import type { Queue } from './queries.ts'

/** The queues in which tasks wait for a worker, the longest wait first. */
export function QueueList({ queues }: { readonly queues: readonly Queue[] }) {
  const { t } = useTranslation('admin')
  const formats = useFormats()
  return (
    <Part title={t('queues.title')} text={t('queues.text')}>
      {queues.length === 0 && <Empty title={t('queues.none')} text={t('queues.noneText')} />}
      {queues.length > 0 && (
        <NumberTable
          label={t('queues.title')}
          columns={[t('queues.queue'), t('queues.waiting'), t('queues.oldest')]}
          rows={queues
            .toSorted((a, b) => b.oldestMs - a.oldestMs)
            .map(({ pool, lane, family, waiting, oldestMs }) => ({
              key: `${pool} ${lane} ${family}`,
              name: <Dotted parts={[t(`queues.${pool}`), family ?? undefined, t(`queues.${lane}`)]} />,
              cells: [formats.count(waiting), formats.duration(oldestMs / 1000)],
            }))}
        />
      )}
    </Part>
  )
}
