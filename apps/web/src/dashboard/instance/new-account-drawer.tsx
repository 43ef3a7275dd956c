import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Copyable } from '../copyable.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { NameField } from '../name-field.tsx'
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
  const add = async () => onMade(await addAccount({ name: name.trim(), email, isAdmin }))
  return (
    <DrawerForm label={t('accounts.add')} isReady={name.trim() !== ''} onSubmit={add}>
      <NameField label={t('add.name')} value={name} onChange={setName} />
      <TextField
        label={t('add.email')}
        type="email"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Check label={t('plan.admin')} isOn={isAdmin} onChange={setIsAdmin} />
    </DrawerForm>
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
