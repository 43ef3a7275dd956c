import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import type { Item } from '../item.ts'
import { convert } from '../running.ts'
import { changeItem, optionsOf, useChoices } from '../state.ts'
import { type KnownTrouble, knownTroubles } from '../troubles.ts'

/** Explains an error and offers the action that fixes it. */
export function RowTrouble({ item }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const { code = 'internal', msg = '' } = item.trouble ?? {}
  const isKnown = (knownTroubles as readonly string[]).includes(code)
  const { password } = optionsOf(item, useChoices())
  const isRefused = code === 'input_encrypted' && password !== undefined
  const text = isRefused
    ? t('row.wrongPassword')
    : isKnown
      ? t(`codes.${code as KnownTrouble}`)
      : msg || t('codes.internal')
  return (
    <div className="grid gap-2">
      <p role="alert" className="text-[13px] text-pretty break-words text-bad">
        {text}
      </p>
      {code === 'input_encrypted' && <PasswordForm item={item} />}
    </div>
  )
}

function PasswordForm({ item }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    changeItem(item.id, ({ options }) => ({ options: { ...options, password } }))
    void convert([item.id])
  }
  return (
    <form onSubmit={submit} className="flex max-w-sm items-end gap-2">
      <div className="flex-1">
        <TextField
          label={t('row.password')}
          type="password"
          autoComplete="off"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </div>
      <Button type="submit" disabled={password === ''}>
        {t('row.unlock')}
      </Button>
    </form>
  )
}
