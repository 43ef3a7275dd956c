import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { useStore } from '../../lib/store.ts'
import { sessionStore } from '../../session/session.ts'
import { Notice } from '../../ui/notice.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Fact, Facts } from '../facts.tsx'
import { AccountList } from './account-list.tsx'
import { AnnouncementPart } from './announcement-part.tsx'
import { DisabledFormats } from './disabled-formats.tsx'
import { EngineList } from './engine-list.tsx'
import { type Instance, instanceQuery } from './queries.ts'
import { QueueList } from './queue-list.tsx'
import { WorkerList } from './worker-list.tsx'

/** `/instance`: what administrators see and change for the whole installation. */
export function InstancePage() {
  const { t } = useTranslation('admin')
  const session = useStore(sessionStore, (now) => now)
  if (session?.signedIn && !session.user?.isAdmin) return <Navigate to="/jobs" replace />
  return (
    <DashboardPage title={t('instance.title')} text={t('instance.text')}>
      <Parts />
    </DashboardPage>
  )
}

function Parts() {
  const { data, error } = useQuery(instanceQuery)
  if (error) return <Notice tone="bad">{error.message}</Notice>
  return (
    <>
      {data && <State instance={data} />}
      <AccountList />
      {data && <WorkerList workers={data.workers} />}
      {data && <EngineList engines={data.engines} />}
      {data && <QueueList queues={data.queues} />}
      {data && <DisabledFormats rules={data.disabledFormats} />}
      {data && <AnnouncementPart announcement={data.announcement} />}
    </>
  )
}

function State({ instance: { workers, queues, backlog } }: { readonly instance: Instance }) {
  const { t } = useTranslation('admin')
  const formats = useFormats()
  const running = workers.reduce((sum, { tasks }) => sum + tasks, 0)
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  const oldestMs = Math.max(0, ...queues.map((queue) => queue.oldestMs))
  return (
    <Facts>
      <Fact label={t('state.workers')} value={formats.count(workers.length)} note={t('state.workersNote')} />
      <Fact label={t('state.running')} value={formats.count(running)} note={t('state.runningNote')} />
      <Fact
        label={t('state.waiting')}
        value={formats.count(waiting)}
        note={waiting > 0 ? t('state.oldest', { time: formats.duration(oldestMs / 1000) }) : t('state.waitingNote')}
      />
      <Fact
        label={t('state.backlog')}
        value={formats.count(backlog.tasks)}
        note={t('state.owners', { count: backlog.owners })}
      />
    </Facts>
  )
}
