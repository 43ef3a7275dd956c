import { useTranslation } from 'react-i18next'
import { isLanguage, languages } from '../../app/languages.ts'
import { chooseTheme, themeStore, themes } from '../../app/theme.ts'
import { chooseLanguage } from '../../app/words.ts'
import { useStore } from '../../lib/store.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { Part } from '../part.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { Profile } from './profile.tsx'

/** `/settings`: the appearance of the pages in this browser, and the account. */
export function SettingsPage() {
  const { t } = useTranslation('dashboard')
  return (
    <DashboardPage title={t('settings.title')} text={t('settings.text')}>
      <Appearance />
      <Profile />
      <AccountDeletion />
    </DashboardPage>
  )
}

function Appearance() {
  const { t, i18n } = useTranslation('dashboard')
  const theme = useStore(themeStore, (now) => now)
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Part title={t('settings.appearance')} text={t('settings.kept')}>
      <div className="grid gap-5 px-5 py-5 sm:grid-cols-2">
        <SelectField
          label={t('settings.language')}
          value={i18n.language}
          onChange={({ target }) => isLanguage(target.value) && void chooseLanguage(target.value)}
        >
          {Object.entries(languages).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('settings.theme')}
          value={theme}
          onChange={({ target }) => chooseTheme(themes.find((one) => one === target.value) ?? 'system')}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {t(`settingsTheme.${one}`)}
            </option>
          ))}
        </SelectField>
        <p className="text-[13px] text-muted sm:col-span-2">{t('settings.zone', { zone })}</p>
      </div>
    </Part>
  )
}
