import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { Button } from '../ui/button.tsx'
import { chooseTheme, themeStore, themes } from './theme.ts'

const icons = { system: Monitor, light: Sun, dark: Moon }

/** Switches to the next color theme. */
export function ThemeButton() {
  const { t } = useTranslation()
  const theme = useStore(themeStore, (now) => now)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const Icon = icons[theme]
  const label = t('theme.label', { now: t(`theme.${theme}`) })
  return (
    <Button look="ghost" size="icon" aria-label={label} title={label} onClick={() => chooseTheme(next)}>
      <Icon size={18} aria-hidden />
    </Button>
  )
}
