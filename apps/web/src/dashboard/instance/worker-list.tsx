import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../card.tsx'
import { Moment } from '../moment.tsx'
import { Part } from '../part.tsx'
import type { Worker } from './queries.ts'

/** The live workers, the engines they have and lack, and their sandbox level. */
export function WorkerList({ workers }: { readonly workers: readonly Worker[] }) {
  const { t } = useTranslation('admin')
  return (
    <Part title={t('workers.title')} text={t('workers.text')}>
      {workers.length === 0 && <Empty title={t('workers.none')} text={t('workers.noneText')} />}
      {workers.length > 0 && (
        <ul className="divide-y" aria-label={t('workers.title')}>
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function WorkerRow({ worker }: { readonly worker: Worker }) {
  const { t } = useTranslation('admin')
  const formats = useFormats()
  const { host, pools, serves, lacks, sandboxLevel, startedAt, tasks, engines, busyEngines } = worker
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium">
          <bdi>{host}</bdi>
        </p>
        <p className="text-[13px] text-muted">
          {t('workers.since')} <Moment at={startedAt} /> · {t('workers.tasks', { count: tasks })}
          {engines !== null && (
            <> · {t('workers.engines', { busy: formats.count(busyEngines), all: formats.count(engines) })}</>
          )}
        </p>
        {serves.length > 0 && (
          <p className="text-[13px] text-muted">{t('workers.serves', { families: serves.join(', ') })}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-x-3 gap-y-2">
        {pools.map((pool) => (
          <Badge key={pool}>{pool}</Badge>
        ))}
        {lacks.length > 0 && <Badge tone="warn">{t('workers.lacks', { families: lacks.join(', ') })}</Badge>}
        <Badge tone={sandboxLevel >= 2 ? 'ok' : 'warn'}>{t('workers.sandbox', { level: sandboxLevel })}</Badge>
      </div>
    </li>
  )
}
