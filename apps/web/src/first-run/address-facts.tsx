import { useTranslation } from 'react-i18next'
import { Notice } from '../ui/notice.tsx'
import type { AddressCheck } from './check-address.ts'

/** The URL of the browser next to the configured one, and what to change if they differ. */
export function AddressFacts({ check }: { readonly check: AddressCheck }) {
  const { t } = useTranslation('firstRun')
  const { seen, configured, isSame, isEncrypted, isLocal } = check
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <dl className="grid gap-3 rounded-card bg-sunken px-4 py-3">
        <Fact name={t('address.seen')} value={seen} />
        <Fact name={t('address.configured')} value={configured} />
      </dl>
      {isSame ? (
        <p className="font-medium text-ok">{t('address.same')}</p>
      ) : (
        <Notice tone="warn">
          <p className="font-medium">{t('address.different')}</p>
          <p className="mt-1.5">{t('address.change', { url: seen })}</p>
        </Notice>
      )}
      {isSame && isLocal && <Notice tone="info">{t('address.local')}</Notice>}
      {isSame && !isLocal && !isEncrypted && <Notice tone="warn">{t('address.plain')}</Notice>}
    </div>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd dir="ltr" className="font-mono text-[13px] break-all rtl:text-end">
        {value}
      </dd>
    </div>
  )
}
