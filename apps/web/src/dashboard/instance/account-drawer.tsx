import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../../lib/store.ts'
import { useSubmit } from '../../pages/use-submit.ts'
import { sessionStore } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AskOnce } from '../ask-once.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { Check } from './check.tsx'
import { type Account, changeAccount, deleteAccount } from './queries.ts'

interface AccountDrawerProps {
  readonly account: Account
  onClose(): void
}

/** The plan and rights of an account, and a button to suspend it. */
export function AccountDrawer({ account, onClose }: AccountDrawerProps) {
  return (
    <Drawer title={account.name} onClose={onClose}>
      <PlanForm account={account} onClose={onClose} />
      <Suspension account={account} onClose={onClose} />
      <Deletion account={account} onClose={onClose} />
    </Drawer>
  )
}

const gigabyte = 1e9

/** Reads a number from a field; an empty field means no limit. */
const toLimit = (text: string) => (text.trim() === '' ? null : Number(text))

function PlanForm({ account, onClose }: AccountDrawerProps) {
  const { t } = useTranslation('admin')
  // In proxy mode, the settings decide who is an administrator.
  const mayChangeRights = useStore(sessionStore, (now) => now?.mode === 'accounts') && account.email !== null
  const [slots, setSlots] = useState(String(account.plan.slots))
  const [perMonth, setPerMonth] = useState(String(account.plan.minutesPerMonth ?? ''))
  const [perTask, setPerTask] = useState(String(account.plan.minutesPerTask ?? ''))
  const { storageBytes } = account.plan
  const [storage, setStorage] = useState(storageBytes === null ? '' : String(storageBytes / gigabyte))
  const [isAdmin, setIsAdmin] = useState(account.isAdmin)
  const save = async () => {
    const plan = {
      slots: Number(slots),
      minutesPerMonth: toLimit(perMonth),
      minutesPerTask: toLimit(perTask),
      storageBytes: storage.trim() === '' ? null : Math.round(Number(storage) * gigabyte),
    }
    await changeAccount(account.id, { plan, ...(mayChangeRights && { isAdmin }) })
    onClose()
  }
  return (
    <DrawerForm label={t('plan.save')} onSubmit={save}>
      <TextField
        label={t('plan.slots')}
        hint={t('plan.slotsHint')}
        type="number"
        required
        min={1}
        max={1000}
        value={slots}
        onChange={({ target }) => setSlots(target.value)}
      />
      <TextField
        label={t('plan.perMonth')}
        hint={t('plan.noLimit')}
        type="number"
        min={0}
        value={perMonth}
        onChange={({ target }) => setPerMonth(target.value)}
      />
      <TextField
        label={t('plan.perTask')}
        hint={t('plan.noLimit')}
        type="number"
        min={1}
        value={perTask}
        onChange={({ target }) => setPerTask(target.value)}
      />
      <TextField
        label={t('plan.storage')}
        hint={t('plan.storageHint')}
        type="number"
        min={0}
        step="any"
        value={storage}
        onChange={({ target }) => setStorage(target.value)}
      />
      {mayChangeRights && <Check label={t('plan.admin')} isOn={isAdmin} onChange={setIsAdmin} />}
    </DrawerForm>
  )
}

function Deletion({ account: { id, kind, name }, onClose }: AccountDrawerProps) {
  const { t } = useTranslation('admin')
  const go = async () => {
    await deleteAccount(id)
    onClose()
  }
  return (
    <div className="grid gap-3 border-t px-5 py-5">
      <p className="text-[13px] text-pretty text-muted">{kind === 'team' ? t('delete.teamText') : t('delete.text')}</p>
      <div>
        <AskOnce label={t('delete.do')} name={t('delete.doOne', { name })} question={t('delete.ask')} onYes={go} />
      </div>
    </div>
  )
}

function Suspension({ account: { id, name, suspendedAt }, onClose }: AccountDrawerProps) {
  const { t } = useTranslation('admin')
  const set = async (isSuspended: boolean) => {
    await changeAccount(id, { isSuspended })
    onClose()
  }
  const { submit, isBusy, fault } = useSubmit(() => set(false))
  return (
    <div className="grid gap-3 border-t px-5 py-5">
      <p className="text-[13px] text-pretty text-muted">{suspendedAt ? t('suspend.isText') : t('suspend.text')}</p>
      {fault && <Notice tone="bad">{fault}</Notice>}
      <div>
        {suspendedAt ? (
          <form onSubmit={submit}>
            <Button type="submit" disabled={isBusy}>
              {t('suspend.end')}
            </Button>
          </form>
        ) : (
          <AskOnce
            label={t('suspend.begin')}
            name={t('suspend.beginOne', { name })}
            question={t('suspend.ask')}
            onYes={() => set(true)}
          />
        )}
      </div>
    </div>
  )
}
