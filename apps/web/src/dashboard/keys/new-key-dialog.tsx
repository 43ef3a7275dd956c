import type { KeyScope } from '@lathe/contract'
import type { RequestError } from '@lathe/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { inputClass } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Copyable } from '../copyable.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { NameField } from '../name-field.tsx'
import { useIdentity } from '../security/use-identity.tsx'
import { AddressesField, hasBadAddresses, readAddresses } from './addresses-field.tsx'
import { createKey } from './queries.ts'
import { scopes, usualScopes } from './scopes.ts'

/** Creates a key, then shows it once, with a command to try it. */
export function NewKeyDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('dashboard')
  const [key, setKey] = useState<string>()
  return (
    <Drawer title={key === undefined ? t('keys.create') : t('keys.made')} onClose={onClose}>
      {key === undefined ? <KeyForm onMade={setKey} /> : <MadeKey text={key} onClose={onClose} />}
    </Drawer>
  )
}

const lifetimes = [0, 30, 90, 365] as const
const dayMs = 24 * 3600 * 1000

function KeyForm({ onMade }: { onMade(text: string): void }) {
  const { t } = useTranslation('dashboard')
  const [name, setName] = useState('')
  const [days, setDays] = useState(0)
  const [ips, setIps] = useState('')
  const [wanted, setWanted] = useState<ReadonlySet<KeyScope>>(new Set(usualScopes))
  const identity = useIdentity()
  const create = async () => {
    await identity.confirm()
    const end = days > 0 ? { expiresAt: new Date(Date.now() + days * dayMs).toISOString() } : {}
    const ranges = readAddresses(ips)
    const { key } = await createKey({
      name,
      scopes: scopes.filter((scope) => wanted.has(scope)),
      ...end,
      ...(ranges.length > 0 && { allowedIps: ranges }),
    })
    onMade(key ?? '')
  }
  const explain = (error: RequestError) => (hasBadAddresses(error) ? t('keys.badIps') : identity.explain(error))
  const isReady = name.trim() !== '' && wanted.size > 0
  const toggle = (scope: KeyScope) => setWanted((before) => before.symmetricDifference(new Set([scope])))
  return (
    <DrawerForm label={t('keys.create')} isReady={isReady} onSubmit={create} explain={explain}>
      <NameField label={t('keys.name')} hint={t('keys.nameHint')} value={name} onChange={setName} />
      <label className="grid gap-1.5 text-[13px] font-medium">
        {t('keys.expires')}
        <select
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
          className={`${inputClass} font-normal`}
        >
          {lifetimes.map((one) => (
            <option key={one} value={one}>
              {one === 0 ? t('keys.never') : t('keys.days', { count: one })}
            </option>
          ))}
        </select>
      </label>
      <AddressesField value={ips} onChange={setIps} />
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-[13px] font-medium">{t('keys.scopes')}</legend>
        {scopes.map((scope) => (
          <label key={scope} className="flex items-start gap-2.5 py-0.5">
            <input
              type="checkbox"
              className="mt-0.5 size-4 accent-accent"
              checked={wanted.has(scope)}
              onChange={() => toggle(scope)}
            />
            <span>
              <code className="font-mono text-[13px]">{scope}</code>
              <span className="block text-[13px] text-muted">
                {t(`scopes.${scope.replace('.', '_') as 'task_read'}`)}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {identity.field}
    </DrawerForm>
  )
}

function MadeKey({ text, onClose }: { readonly text: string; onClose(): void }) {
  const { t } = useTranslation('dashboard')
  const example = `curl ${location.origin}/v1/account -H "Authorization: Bearer ${text}"`
  return (
    <div className="grid gap-5 px-5 py-5">
      <Notice tone="warn">{t('keys.once')}</Notice>
      <Copyable label={t('keys.key')} text={text} />
      <Copyable label={t('keys.try')} text={example} />
      <Button look="primary" size="large" onClick={onClose}>
        {t('keys.done')}
      </Button>
    </div>
  )
}
