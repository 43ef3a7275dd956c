import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AskOnce } from '../ask-once.tsx'
import { Empty } from '../card.tsx'
import { Dotted } from '../dotted.tsx'
import { Drawer } from '../drawer.tsx'
import { Part } from '../part.tsx'
import { RenameDrawer } from '../rename-drawer.tsx'
import { PasswordQuestion } from './password-question.tsx'
import { addPasskey, type Passkey, passkeysQuery, removePasskey, renamePasskey } from './queries.ts'

/** Passkeys: they sign in without a password. */
export function Passkeys() {
  const { t } = useTranslation('dashboard')
  const { data, error } = useQuery(passkeysQuery)
  const [isAdding, setIsAdding] = useState(false)
  const add = <Button onClick={() => setIsAdding(true)}>{t('passkeys.add')}</Button>
  return (
    <Part title={t('passkeys.title')} text={t('passkeys.text')} action={add}>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {data?.length === 0 && <Empty title={t('passkeys.none')} text={t('passkeys.noneText')} />}
      {data && data.length > 0 && (
        <ul className="divide-y" aria-label={t('passkeys.title')}>
          {data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {isAdding && <AddPasskey onClose={() => setIsAdding(false)} />}
    </Part>
  )
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { readonly passkey: Passkey }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const [isRenaming, setIsRenaming] = useState(false)
  const used = lastUsedAt ? t('keys.used', { when: formats.relative(new Date(lastUsedAt)) }) : t('keys.unused')
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="num text-[13px] text-muted">
          <Dotted parts={[used, t('passkeys.since', { when: formats.exact(new Date(createdAt)) })]} />
        </p>
      </div>
      <Button size="small" aria-label={t('common.renameOne', { name })} onClick={() => setIsRenaming(true)}>
        {t('common.rename')}
      </Button>
      <AskOnce
        label={t('passkeys.remove')}
        name={t('passkeys.removeOne', { name })}
        question={t('passkeys.removeAsk')}
        onYes={() => removePasskey(id)}
      />
      {isRenaming && (
        <RenameDrawer
          title={t('common.renameOne', { name })}
          name={name}
          onRename={(next) => renamePasskey(id, next)}
          onClose={() => setIsRenaming(false)}
        />
      )}
    </li>
  )
}

function AddPasskey({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('dashboard')
  const [name, setName] = useState('')
  return (
    <Drawer title={t('passkeys.add')} onClose={onClose}>
      <PasswordQuestion
        text={t('passkeys.addText')}
        submit={t('passkeys.add')}
        onPassword={(current) => addPasskey(current, name.trim()).then(onClose)}
      >
        <TextField
          label={t('keys.name')}
          hint={t('passkeys.nameHint')}
          required
          autoFocus
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </PasswordQuestion>
    </Drawer>
  )
}
