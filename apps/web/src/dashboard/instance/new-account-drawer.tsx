import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Copyable } from '../copyable.tsx'
import { Drawer } from '../drawer.tsx'
import { Check } from './check.tsx'
import { addAccount, type NewAccount } from './queries.ts'

/** Adds an account, then shows its password once. */
export function NewAccountDrawer({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('admin')
  const [made, setMade] = useState<NewAccount>()
  return (
    <Drawer title={t('accounts.add')} onClose={onClose}>
      {made ? <Password made={made} onClose={onClose} /> : <PersonForm onMade={setMade} />}
    </Drawer>
  )
}

function PersonForm({ onMade }: { onMade(made: NewAccount): void }) {
  const { t } = useTranslation('admin')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [isAdmin, setIsAdmin] = useState(false)
  const { submit, isBusy, fault } = useSubmit(
    async () => onMade(await addAccount({ name: name.trim(), email, isAdmin })),
    () => undefined,
  )
  return (
    <form onSubmit={submit} className="grid gap-5 px-5 py-5">
      {fault && <Notice tone="bad">{fault}</Notice>}
      <TextField
        label={t('add.name')}
        required
        autoFocus
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t('add.email')}
        type="email"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Check label={t('plan.admin')} isOn={isAdmin} onChange={setIsAdmin} />
      <Button type="submit" look="primary" size="large" disabled={isBusy || name.trim() === ''}>
        {t('accounts.add')}
      </Button>
    </form>
  )
}

function Password({ made, onClose }: { readonly made: NewAccount; onClose(): void }) {
  const { t } = useTranslation('admin')
  return (
    <div className="grid gap-5 px-5 py-5">
      <Copyable label={t('add.password', { email: made.email })} text={made.password} />
      <p className="text-[13px] text-pretty text-muted">{t('add.once')}</p>
      <Button look="primary" size="large" onClick={onClose}>
        {t('add.done')}
      </Button>
    </div>
  )
}
