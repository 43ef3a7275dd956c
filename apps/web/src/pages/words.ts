import { addWords } from '../app/words.ts'

/** Loads the translations of the sign-in and of first accounts: signed-in users never load them. */
export function readyEntry(): Promise<void> {
  return addWords('entry', {
    en: () => import('../locales/entry/en.json'),
    de: () => import('../locales/entry/de.json'),
    fr: () => import('../locales/entry/fr.json'),
    es: () => import('../locales/entry/es.json'),
    ja: () => import('../locales/entry/ja.json'),
    ar: () => import('../locales/entry/ar.json'),
  })
}

/** Loads the translations of the page that approves devices. */
export function readyDevice(): Promise<void> {
  return addWords('device', {
    en: () => import('../locales/device/en.json'),
    de: () => import('../locales/device/de.json'),
    fr: () => import('../locales/device/fr.json'),
    es: () => import('../locales/device/es.json'),
    ja: () => import('../locales/device/ja.json'),
    ar: () => import('../locales/device/ar.json'),
  })
}
