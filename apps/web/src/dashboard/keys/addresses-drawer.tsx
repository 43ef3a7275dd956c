import type { ApiKey } from '@lathe/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Drawer } from '../drawer.tsx'
import { AddressesField, hasBadAddresses, readAddresses } from './addresses-field.tsx'
import { limitKey } from './queries.ts'

interface AddressesDrawerProps {
  readonly apiKey: ApiKey
  onClose(): void
}

/** Changes the IP addresses from which a key may be used. */
export function AddressesDrawer({ apiKey, onClose }: AddressesDrawerProps) {
  const { t } = useTranslation('dashboard')
  const { id, name, allowedIps } = apiKey
  const [text, setText] = useState(allowedIps?.join(', ') ?? '')
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      const ranges = readAddresses(text)
      await limitKey(id, ranges.length > 0 ? ranges : null)
      onClose()
    },
    (error) => (hasBadAddresses(error) ? t('keys.badIps') : undefined),
  )
  return (
    <Drawer title={t('keys.changeIpsOne', { name })} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-5 px-5 py-5">
        {fault && <Notice tone="bad">{fault}</Notice>}
        <AddressesField autoFocus value={text} onChange={setText} />
        <Button type="submit" look="primary" size="large" disabled={isBusy}>
          {t('common.save')}
        </Button>
      </form>
    </Drawer>
  )
}
