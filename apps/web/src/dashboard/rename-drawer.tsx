import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Drawer } from './drawer.tsx'
import { DrawerForm } from './drawer-form.tsx'
import { NameField } from './name-field.tsx'

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
  const rename = async () => {
    await onRename(text.trim())
    onClose()
  }
  return (
    <Drawer title={title} onClose={onClose}>
      <DrawerForm label={t('common.save')} isReady={text.trim() !== ''} onSubmit={rename}>
        <NameField label={t('common.name')} value={text} onChange={setText} />
      </DrawerForm>
    </Drawer>
  )
}
