import type { Delivery } from '@lathe/contract'
import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, CircleAlert, Clock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { useSubmit } from '../../pages/use-submit.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { Dotted } from '../dotted.tsx'
import { Moment } from '../moment.tsx'
import { Paging } from '../paging.tsx'
import { useSeconds } from '../use-seconds.ts'
import { type DeliveryFilter, type DeliveryStatus, deliveriesQuery, replay } from './queries.ts'

const looks = {
  pending: { tone: 'info', icon: Clock },
  delivered: { tone: 'ok', icon: Check },
  failed: { tone: 'bad', icon: CircleAlert },
} as const

const statuses = Object.keys(looks) as DeliveryStatus[]

/** The deliveries, each with all attempts and responses. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const { t } = useTranslation('dashboard')
  const [filter, setFilter] = useState<DeliveryFilter>({})
  const { status } = filter
  const { data, error, isPending } = useQuery(deliveriesQuery(webhookId, filter))
  const narrow = (value: string) => {
    const found = statuses.find((one) => one === value)
    setFilter(found ? { status: found } : {})
  }
  return (
    <Card>
      <div className="flex flex-wrap items-end justify-between gap-3 border-b px-5 py-4">
        <div>
          <h2 className="text-[17px] font-semibold tracking-tight">{t('deliveries.title')}</h2>
          <p className="text-[13px] text-muted">{t('deliveries.text')}</p>
        </div>
        <div className="w-44">
          <SelectField label={t('jobs.status')} value={status ?? ''} onChange={({ target }) => narrow(target.value)}>
            <option value="">{t('jobs.anyStatus')}</option>
            {statuses.map((one) => (
              <option key={one} value={one}>
                {t(`delivery.${one}`)}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {isPending && <RowsSkeleton />}
      {data?.docs.length === 0 && (
        <Empty
          title={status ? t('deliveries.noMatch') : t('deliveries.none')}
          text={status ? t('deliveries.noMatchText') : t('deliveries.noneText')}
        />
      )}
      {data && data.docs.length > 0 && (
        <>
          <ul className="divide-y" aria-label={t('deliveries.title')}>
            {data.docs.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </ul>
          <Paging page={data} onGo={(to) => setFilter({ ...(status && { status }), ...to })} />
        </>
      )}
    </Card>
  )
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useTranslation('dashboard')
  const { event, status, attempts, createdAt, replayOf } = delivery
  const { tone, icon: Icon } = looks[status]
  const answer = attempts.at(-1)?.status
  return (
    <li>
      <details className="group">
        <summary className="flex list-none flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 -outline-offset-2 hover:bg-sunken/50 [&::-webkit-details-marker]:hidden">
          <ChevronDown
            size={16}
            aria-hidden
            className="shrink-0 -rotate-90 text-muted transition-transform duration-150 group-open:rotate-0 rtl:rotate-90 rtl:group-open:rotate-0"
          />
          <span className="min-w-0 flex-1">
            <code className="block truncate font-mono text-[13px] font-medium">{event.type}</code>
            <span className="num block truncate text-[13px] text-muted">
              <Dotted
                parts={[
                  t('deliveries.tries', { count: attempts.length }),
                  answer ? `HTTP ${answer}` : undefined,
                  replayOf ? t('deliveries.replayed') : undefined,
                ]}
              />
            </span>
          </span>
          <Badge tone={tone}>
            <Icon size={13} aria-hidden />
            {t(`delivery.${status}`)}
          </Badge>
          <span className="text-end text-[13px] text-muted sm:min-w-24">
            <Moment at={createdAt} />
          </span>
        </summary>
        <Tries delivery={delivery} />
      </details>
    </li>
  )
}

function Tries({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const inSeconds = useSeconds()
  const { submit, isBusy, fault } = useSubmit(() => replay(delivery))
  return (
    <div className="grid grid-cols-1 gap-3 px-5 pt-1 pb-5 sm:ps-12">
      {delivery.reason && <Notice tone="warn">{delivery.reason}</Notice>}
      {delivery.nextTryAt && (
        <p className="text-[13px] text-muted">
          {t('deliveries.next', { when: formats.exact(new Date(delivery.nextTryAt)) })}
        </p>
      )}
      <ol className="grid gap-3">
        {delivery.attempts.map(({ at, status, tookMs, answer, reason }) => (
          <li key={at} className="grid gap-1.5">
            <p className="num text-[13px] text-muted">
              <Dotted
                parts={[
                  formats.exact(new Date(at)),
                  status === null ? t('deliveries.noAnswer') : `HTTP ${status}`,
                  inSeconds(tookMs / 1000),
                  reason,
                ]}
              />
            </p>
            {answer && (
              <pre
                dir="ltr"
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
                tabIndex={0}
                className="max-h-48 overflow-auto rounded-control bg-sunken px-3 py-2.5 font-mono text-[13px] break-all whitespace-pre-wrap"
              >
                {answer}
              </pre>
            )}
          </li>
        ))}
      </ol>
      {fault && <Notice tone="bad">{fault}</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        <Button size="small" disabled={isBusy} onClick={submit}>
          {t('deliveries.replay')}
        </Button>
        <code dir="ltr" className="font-mono text-xs break-all text-faint">
          webhook-id {delivery.event.id}
        </code>
      </div>
    </div>
  )
}
