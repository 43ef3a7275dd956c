import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../../lib/store.ts'
import { type Owner, type Role, sessionStore } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Copyable } from '../copyable.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { invite, type MadeInvitation } from './queries.ts'
import { rolesFor } from './roles.ts'

interface InviteDrawerProps {
  readonly team: Owner
  onClose(): void
}

/** Asks whom to invite, then shows the link once, and whether it was mailed. */
export function InviteDrawer({ team, onClose }: InviteDrawerProps) {
  const { t } = useTranslation('team')
  const [made, setMade] = useState<MadeInvitation>()
  return (
    <Drawer title={t('invite.title')} onClose={onClose}>
      {made ? <MadeLink made={made} onClose={onClose} /> : <InviteForm team={team} onMade={setMade} />}
    </Drawer>
  )
}

function InviteForm({ team, onMade }: { readonly team: Owner; onMade(made: MadeInvitation): void }) {
  const { t } = useTranslation('team')
  const mails = useStore(sessionStore, (now) => now?.mails === true)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const make = async () => onMade(await invite(team.id, { role, ...(email !== '' && { email }) }))
  return (
    <DrawerForm label={t('invite.make')} onSubmit={make}>
      <TextField
        label={t('invite.email')}
        type="email"
        autoFocus
        hint={mails ? t('invite.emailHint') : t('invite.emailNote')}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <SelectField label={t('invite.role')} value={role} onChange={({ target }) => setRole(target.value as Role)}>
        {rolesFor(team.role).map((one) => (
          <option key={one} value={one}>
            {t(`roles.${one}`)}
          </option>
        ))}
      </SelectField>
      <p className="text-[13px] text-pretty text-muted">{t(`may.${role}`)}</p>
    </DrawerForm>
  )
}

function MadeLink({ made, onClose }: { readonly made: MadeInvitation; onClose(): void }) {
  const { t } = useTranslation('team')
  return (
    <div className="grid gap-5 px-5 py-5">
      {made.mail === 'sent' && <Notice tone="info">{t('invite.sent', { email: made.email })}</Notice>}
      {made.mail === 'failed' && <Notice tone="warn">{t('invite.failed')}</Notice>}
      {made.mail === 'limited' && <Notice tone="warn">{t('invite.limited')}</Notice>}
      <Copyable label={t('invite.link')} text={made.url} />
      <p className="text-[13px] text-pretty text-muted">
        {made.email === null ? t('invite.once') : t('invite.onceFor', { email: made.email })}
      </p>
      <Button look="primary" size="large" onClick={onClose}>
        {t('invite.done')}
      </Button>
    </div>
  )
}
