import type { Webhook } from '@lathe/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Dotted } from '../dotted.tsx'
import { webhooksQuery } from './queries.ts'
import { WebhookDrawer } from './webhook-drawer.tsx'
import { WebhookState } from './webhook-state.tsx'

/** `/webhooks`: the webhooks of the account. */
export function WebhooksPage() {
  const { t } = useTranslation('dashboard')
  const [isMaking, setIsMaking] = useState(false)
  const make = (
    <Button look="primary" onClick={() => setIsMaking(true)}>
      <Plus size={16} aria-hidden />
      {t('webhooks.create')}
    </Button>
  )
  return (
    <DashboardPage title={t('webhooks.title')} text={t('webhooks.text')} action={make}>
      <WebhookList onMake={() => setIsMaking(true)} />
      {isMaking && <WebhookDrawer onClose={() => setIsMaking(false)} />}
    </DashboardPage>
  )
}

function WebhookList({ onMake }: { onMake(): void }) {
  const { t } = useTranslation('dashboard')
  const { data, error, isPending } = useQuery(webhooksQuery)
  if (error) return <Notice tone="bad">{error.message}</Notice>
  const make = <Button onClick={onMake}>{t('webhooks.create')}</Button>
  return (
    <Card>
      {isPending && <RowsSkeleton />}
      {data?.length === 0 && <Empty title={t('webhooks.none')} text={t('webhooks.noneText')} action={make} />}
      {data && data.length > 0 && (
        <ul className="divide-y" aria-label={t('webhooks.title')}>
          {data.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('dashboard')
  const { id, url, description, events } = webhook
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3.5 hover:bg-sunken/50">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex">
          <Link
            to="/webhooks/$webhookId"
            params={{ webhookId: id }}
            dir="auto"
            className="min-w-0 truncate rounded-control font-medium after:absolute after:inset-0"
          >
            <bdi>{url ?? t('webhooks.ofJobs')}</bdi>
          </Link>
        </p>
        <p className="truncate text-[13px] text-muted">
          <Dotted parts={[description ?? undefined, events.join(', ')]} />
        </p>
      </div>
      <WebhookState webhook={webhook} />
    </li>
  )
}
