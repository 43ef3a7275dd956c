import type { KeyScope } from '@lathe/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Moment } from '../dashboard/moment.tsx'
import { useIdentity } from '../dashboard/security/use-identity.tsx'
import { callAuth } from '../session/auth-client.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useSubmit } from './use-submit.ts'

/** A program that waits for approval, as returned by `POST /auth/device/show`. */
export interface Device {
  readonly name: string
  readonly address: string
  readonly isSameNetwork: boolean
  readonly requestedAt: string
  readonly expiresAt: string
  readonly scopes: readonly KeyScope[]
  readonly owner: { readonly id: string; readonly name: string }
  readonly mayApprove: boolean
}

interface DeviceFormProps {
  readonly code: string
  readonly device: Device
  readonly isTyped: boolean
  onDone(outcome: 'approved' | 'denied'): void
}

/** Shows the program and two buttons: approve and deny. A code from a link must be compared first. */
export function DeviceForm({ code, device, isTyped, onDone }: DeviceFormProps) {
  const { t } = useTranslation('device')
  const [isCompared, setIsCompared] = useState(isTyped)
  const identity = useIdentity()
  const approval = useSubmit(
    async () => {
      await identity.confirm()
      await callAuth('device/approve', { userCode: code, ownerId: device.owner.id })
      onDone('approved')
    },
    (error) => (error.status === 404 ? t('unknown') : identity.explain(error)),
  )
  const denial = useSubmit(
    async () => {
      await callAuth('device/deny', { userCode: code })
      onDone('denied')
    },
    ({ status }) => (status === 404 ? t('unknown') : undefined),
  )
  const fault = approval.fault ?? denial.fault
  const isBusy = approval.isBusy || denial.isBusy
  return (
    <form onSubmit={approval.submit} className="grid gap-5">
      {fault && <Notice tone="bad">{fault}</Notice>}
      <p
        dir="ltr"
        className="rounded-card bg-sunken py-3 text-center font-mono text-[22px] font-semibold tracking-[0.15em] uppercase"
      >
        {code}
      </p>
      <Facts device={device} />
      {!device.isSameNetwork && <Notice tone="warn">{t('otherNetwork')}</Notice>}
      {!device.mayApprove && <Notice tone="warn">{t('notAllowed', { owner: device.owner.name })}</Notice>}
      {!isTyped && (
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={isCompared}
            onChange={({ target }) => setIsCompared(target.checked)}
          />
          {t('compared')}
        </label>
      )}
      {identity.field}
      <div className="grid gap-2">
        <Button type="submit" look="primary" size="large" disabled={isBusy || !isCompared || !device.mayApprove}>
          {t('approve')}
        </Button>
        <Button look="danger" size="large" disabled={isBusy} onClick={denial.submit}>
          {t('deny')}
        </Button>
      </div>
    </form>
  )
}

function Facts({ device }: { readonly device: Device }) {
  const { t } = useTranslation('device')
  const { t: words } = useTranslation('dashboard')
  return (
    <dl className="grid gap-3">
      <Fact label={t('fact.device')}>
        <bdi className="break-words">{device.name}</bdi>
      </Fact>
      <Fact label={t('fact.address')}>
        <bdi className="num break-all">{device.address}</bdi>
      </Fact>
      <Fact label={t('fact.requested')}>
        <Moment at={device.requestedAt} />
      </Fact>
      <Fact label={t('fact.owner')}>
        <bdi className="break-words">{device.owner.name}</bdi>
      </Fact>
      <Fact label={t('fact.may')}>
        <ul className="list-disc ps-4">
          {device.scopes.map((scope) => (
            <li key={scope}>{words(`scopes.${scope.replace('.', '_') as 'task_read'}`)}</li>
          ))}
        </ul>
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
