import { addWords } from '../app/words.ts'

/** Loads the translations for presets, used by their page and by the options dialog. */
export function readyPresets(): Promise<void> {
  return addWords('presets', {
    en: () => import('../locales/presets/en.json'),
    de: () => import('../locales/presets/de.json'),
    fr: () => import('../locales/presets/fr.json'),
    es: () => import('../locales/presets/es.json'),
    ja: () => import('../locales/presets/ja.json'),
    ar: () => import('../locales/presets/ar.json'),
  })
}
