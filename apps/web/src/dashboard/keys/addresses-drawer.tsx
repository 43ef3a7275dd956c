import type { ApiKey } from '@lathe/contract'
import type { RequestError } from '@lathe/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
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
  const save = async () => {
    const ranges = readAddresses(text)
    await limitKey(id, ranges.length > 0 ? ranges : null)
    onClose()
  }
  const explain = (error: RequestError) => (hasBadAddresses(error) ? t('keys.badIps') : undefined)
  return (
    <Drawer title={t('keys.changeIpsOne', { name })} onClose={onClose}>
      <DrawerForm label={t('common.save')} onSubmit={save} explain={explain}>
        <AddressesField autoFocus value={text} onChange={setText} />
      </DrawerForm>
    </Drawer>
  )
}
