import { addWords } from '../app/words.ts'

/** The words about presets, for the page of them and for the dialog of options. */
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
