import { addWords } from '../app/words.ts'

/** Loads the translations of the first run. */
export function readyFirstRun(): Promise<void> {
  return addWords('firstRun', {
    en: () => import('../locales/first-run/en.json'),
    de: () => import('../locales/first-run/de.json'),
    fr: () => import('../locales/first-run/fr.json'),
    es: () => import('../locales/first-run/es.json'),
    ja: () => import('../locales/first-run/ja.json'),
    ar: () => import('../locales/first-run/ar.json'),
  })
}
