import type { Preset } from '@lathe/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AudienceField } from '../../presets/audience-field.tsx'
import { deletePreset, updatePreset } from '../../presets/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { AskOnce } from '../ask-once.tsx'
import { Dotted } from '../dotted.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { NameField } from '../name-field.tsx'

/** One preset: its target, its options and its actions. */
export function PresetRow({ preset }: { readonly preset: Preset }) {
  const { t } = useTranslation('presets')
  const [isEditing, setIsEditing] = useState(false)
  const { id, name, operation, output_format, options, personal } = preset
  const entries = Object.entries(options)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">
            <bdi>{name}</bdi>
          </span>
          {personal && <Badge>{t('presets.personal')}</Badge>}
        </p>
        <p className="text-[13px] break-words text-muted">
          <Dotted parts={[operation, output_format?.toUpperCase()]} /> · <code className="font-mono">{id}</code>
        </p>
        <div className="mt-1.5 flex min-w-0 flex-wrap gap-1.5">
          {entries.length === 0 && <span className="text-[13px] text-muted">{t('presets.defaults')}</span>}
          {entries.map(([option, value]) => (
            <Badge key={option}>
              <span className="truncate font-mono" dir="ltr">
                {option}: {typeof value === 'object' ? JSON.stringify(value) : String(value)}
              </span>
            </Badge>
          ))}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" aria-label={t('presets.editOne', { name })} onClick={() => setIsEditing(true)}>
          {t('presets.edit')}
        </Button>
        <AskOnce
          label={t('presets.delete')}
          name={t('presets.deleteOne', { name })}
          question={t('presets.deleteAsk')}
          onYes={() => deletePreset(id)}
        />
      </div>
      {isEditing && <EditPreset preset={preset} onClose={() => setIsEditing(false)} />}
    </li>
  )
}

function EditPreset({ preset, onClose }: { readonly preset: Preset; onClose(): void }) {
  const { t } = useTranslation('presets')
  const [name, setName] = useState(preset.name)
  const [isPersonal, setIsPersonal] = useState(preset.personal)
  const save = async () => {
    await updatePreset(preset.id, { name: name.trim(), personal: isPersonal })
    onClose()
  }
  return (
    <Drawer title={t('presets.editOne', { name: preset.name })} onClose={onClose}>
      <DrawerForm label={t('presets.save')} isReady={name.trim() !== ''} onSubmit={save}>
        <NameField label={t('presets.name')} value={name} onChange={setName} />
        <AudienceField isPersonal={isPersonal} onChange={setIsPersonal} />
      </DrawerForm>
    </Drawer>
  )
}
