import { useQuery } from '@tanstack/react-query'
import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { conversionTo } from '../converter/conversion.ts'
import type { Options } from '../converter/item.ts'
import type { Descriptor } from '../converter/option-rules.ts'
import { useSubmit } from '../pages/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { AudienceField } from './audience-field.tsx'
import { fittingPresets, optionsOfPreset, sameOptions, toPresetOptions } from './fitting-presets.ts'
import { createPreset, presetsQuery, refreshPresets, updatePreset } from './queries.ts'

interface PresetPickerProps {
  readonly target: string
  readonly descriptors: readonly Descriptor[]
  readonly options: Options
  /** Whether the current options are invalid. */
  readonly isFaulty: boolean
  onChoose(options: Options): void
}

/** Presets for a conversion: applies one, or saves the options as one. */
export function PresetPicker({ target, descriptors, options, isFaulty, onChoose }: PresetPickerProps) {
  const { t } = useTranslation('presets')
  const { data = [], error } = useQuery(presetsQuery)
  const [isSaving, setIsSaving] = useState(false)
  const [saved, setSaved] = useState<string>()
  const fitting = fittingPresets(data, conversionTo(target))
  const chosen = fitting.find((preset) => sameOptions(optionsOfPreset(preset, descriptors), options))
  const kept = toPresetOptions(descriptors, options)
  const take = (id: string) => {
    const preset = fitting.find((one) => one.id === id)
    setSaved(undefined)
    onChoose(preset ? optionsOfPreset(preset, descriptors) : {})
  }
  return (
    <div className="grid gap-3 border-b px-5 py-4">
      {error && <Notice tone="bad">{error.message}</Notice>}
      {fitting.length > 0 && (
        <SelectField
          label={t('presetPicker.label')}
          value={chosen?.id ?? ''}
          onChange={({ target: { value } }) => take(value)}
        >
          <option value="">{t('presetPicker.none')}</option>
          {fitting.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {isSaving ? (
        <SavePreset
          target={target}
          options={kept}
          taken={fitting}
          onCancel={() => setIsSaving(false)}
          onSaved={(name) => {
            setIsSaving(false)
            setSaved(name)
          }}
        />
      ) : (
        <Button
          className="justify-self-start"
          disabled={isFaulty || Object.keys(kept).length === 0}
          onClick={() => {
            setSaved(undefined)
            setIsSaving(true)
          }}
        >
          <BookmarkPlus size={16} aria-hidden />
          {t('presetPicker.save')}
        </Button>
      )}
      <p role="status" className="text-[13px] text-muted empty:hidden">
        {saved !== undefined && t('presetPicker.saved', { name: saved })}
      </p>
    </div>
  )
}

interface SavePresetProps {
  readonly target: string
  readonly options: Options
  readonly taken: readonly { readonly id: string; readonly name: string; readonly personal: boolean }[]
  onCancel(): void
  onSaved(name: string): void
}

/** Asks for a name. A preset of this target with the same name is replaced. */
function SavePreset({ target, options, taken, onCancel, onSaved }: SavePresetProps) {
  const { t } = useTranslation('presets')
  const [text, setText] = useState('')
  const [isPersonal, setIsPersonal] = useState(false)
  const name = text.trim()
  const same = taken.find((preset) => preset.name === name && preset.personal === isPersonal)
  const { submit, isBusy, fault } = useSubmit(async () => {
    const content = { name, ...conversionTo(target), options, personal: isPersonal }
    if (same) await updatePreset(same.id, { options })
    else await createPreset(content)
    await refreshPresets()
    onSaved(name)
  })
  return (
    <form onSubmit={submit} aria-label={t('presetPicker.save')} className="grid gap-3">
      {fault && <Notice tone="bad">{fault}</Notice>}
      <TextField
        label={t('presetPicker.name')}
        hint={same ? t('presetPicker.replaces') : t('presetPicker.hint')}
        required
        autoFocus
        maxLength={100}
        value={text}
        onChange={({ target: { value } }) => setText(value)}
      />
      <AudienceField isPersonal={isPersonal} onChange={setIsPersonal} />
      <div className="flex gap-2">
        <Button type="submit" disabled={isBusy || name === ''}>
          {same ? t('presetPicker.replace') : t('presets.save')}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          {t('presetPicker.cancel')}
        </Button>
      </div>
    </form>
  )
}
