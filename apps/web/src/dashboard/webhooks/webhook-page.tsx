import type { Webhook } from '@lathe/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../../app/queries.ts'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AskOnce } from '../ask-once.tsx'
import { RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Drawer } from '../drawer.tsx'
import { useSignedIn } from '../use-signed-in.ts'
import { Deliveries } from './deliveries.tsx'
import { changeWebhook, deleteWebhook, rotateSecret, sendTest, webhookQuery } from './queries.ts'
import { Secret, WebhookDrawer } from './webhook-drawer.tsx'
import { WebhookState } from './webhook-state.tsx'

/** `/webhooks/:id`: a webhook with its deliveries and their results. */
export function WebhookPage() {
  const { t } = useTranslation('dashboard')
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' })
  const { data, error } = useQuery({ ...webhookQuery(webhookId), enabled: useSignedIn() }, queries)
  const above = (
    <p className="mb-1 text-[13px] text-muted">
      <Link to="/webhooks" className="rounded-control underline underline-offset-2 hover:text-text">
        {t('webhooks.title')}
      </Link>
    </p>
  )
  return (
    <DashboardPage
      title={data ? (data.url ?? t('webhooks.ofJobs')) : t('webhooks.title')}
      text={data && <bdi>{data.description}</bdi>}
      above={above}
      badge={data && <WebhookState webhook={data} />}
    >
      {error && <Notice tone="bad">{error.message}</Notice>}
      {!data && !error && <RowsSkeleton rows={5} />}
      {data && <Actions webhook={data} />}
      {data && <Deliveries webhookId={webhookId} />}
    </DashboardPage>
  )
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const [isEditing, setIsEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { id, url, enabled, disabledReason } = webhook
  const test = useSubmit(() => sendTest(id))
  const turn = useSubmit(() => changeWebhook(id, { enabled: !enabled }))
  const fault = test.fault ?? turn.fault
  const end = async () => {
    await deleteWebhook(id)
    await navigate({ to: '/webhooks' })
  }
  return (
    <>
      {disabledReason && <Notice tone="warn">{t(`webhooksOffText.${disabledReason}`)}</Notice>}
      {fault && <Notice tone="bad">{fault}</Notice>}
      <div className="flex flex-wrap items-center gap-2">
        {url !== null && (
          <Button look="primary" disabled={test.isBusy} onClick={test.submit}>
            {test.isBusy ? t('webhooks.testing') : t('webhooks.test')}
          </Button>
        )}
        <Button onClick={() => setIsEditing(true)}>{t('webhooks.edit')}</Button>
        <Button disabled={turn.isBusy} onClick={turn.submit}>
          {enabled ? t('webhooks.turnOff') : t('webhooks.turnOn')}
        </Button>
        <AskOnce
          label={t('webhooks.rotate')}
          name={t('webhooks.rotate')}
          question={t('webhooks.rotateAsk')}
          onYes={async () => setSecret((await rotateSecret(id)).secret)}
        />
        <AskOnce
          label={t('webhooks.delete')}
          name={t('webhooks.delete')}
          question={t('webhooks.deleteAsk')}
          onYes={end}
        />
      </div>
      {isEditing && <WebhookDrawer webhook={webhook} onClose={() => setIsEditing(false)} />}
      {secret && (
        <Drawer title={t('webhooks.made')} onClose={() => setSecret(undefined)}>
          <Secret text={secret} onClose={() => setSecret(undefined)} />
        </Drawer>
      )}
    </>
  )
}
