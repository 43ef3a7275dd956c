import { Languages } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isLanguage, languages } from './languages.ts'
import { chooseLanguage } from './words.ts'

/** A native select: the list is short, and every phone and screen reader supports it. */
export function LanguagePicker() {
  const { t, i18n } = useTranslation()
  return (
    <div className="relative inline-flex size-9 items-center justify-center rounded-control text-muted focus-within:outline-2 focus-within:outline-accent hover:bg-sunken hover:text-text pointer-coarse:size-11">
      <Languages size={18} aria-hidden />
      <select
        aria-label={t('app.language')}
        title={t('app.language')}
        value={i18n.language}
        onChange={({ target }) => isLanguage(target.value) && void chooseLanguage(target.value)}
        className="absolute inset-0 cursor-pointer opacity-0"
      >
        {Object.entries(languages).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
