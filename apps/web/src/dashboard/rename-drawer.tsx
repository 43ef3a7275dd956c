import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmit } from '../pages/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Drawer } from './drawer.tsx'

interface RenameDrawerProps {
  readonly title: string
  /** The current name. */
  readonly name: string
  onRename(name: string): Promise<unknown>
  onClose(): void
}

/** Asks for a new name. */
export function RenameDrawer({ title, name, onRename, onClose }: RenameDrawerProps) {
  const { t } = useTranslation('dashboard')
  const [text, setText] = useState(name)
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      await onRename(text.trim())
      onClose()
    },
    () => undefined,
  )
  return (
    <Drawer title={title} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-5 px-5 py-5">
        {fault && <Notice tone="bad">{fault}</Notice>}
        <TextField
          label={t('common.name')}
          required
          autoFocus
          maxLength={100}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" look="primary" size="large" disabled={isBusy || text.trim() === ''}>
          {t('common.save')}
        </Button>
      </form>
    </Drawer>
  )
}
