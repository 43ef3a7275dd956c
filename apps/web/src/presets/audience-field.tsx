import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { sessionStore } from '../session/session.ts'
import { SelectField } from '../ui/select-field.tsx'

interface AudienceFieldProps {
  readonly isPersonal: boolean
  onChange(isPersonal: boolean): void
}

/** Who can see a preset. Only shown for teams. */
export function AudienceField({ isPersonal, onChange }: AudienceFieldProps) {
  const { t } = useTranslation('presets')
  const isTeam = useStore(sessionStore, (now) => now?.owner?.kind === 'team')
  if (!isTeam) return null
  return (
    <SelectField
      label={t('presets.audience')}
      value={isPersonal ? 'personal' : 'team'}
      onChange={({ target }) => onChange(target.value === 'personal')}
    >
      <option value="team">{t('presets.team')}</option>
      <option value="personal">{t('presets.personal')}</option>
    </SelectField>
  )
}
