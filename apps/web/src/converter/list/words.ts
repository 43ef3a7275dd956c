import { addWords } from '../../app/words.ts'

/** Loads the translations of the list, such as errors: the empty page does not need them. */
export function readyList(): Promise<void> {
  return addWords('list', {
    en: () => import('../../locales/list/en.json'),
    de: () => import('../../locales/list/de.json'),
    fr: () => import('../../locales/list/fr.json'),
    es: () => import('../../locales/list/es.json'),
    ja: () => import('../../locales/list/ja.json'),
    ar: () => import('../../locales/list/ar.json'),
  })
}
