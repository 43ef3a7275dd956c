import { addWords } from '../../app/words.ts'

/** What can go wrong with a file is told where there are files: the empty page does without these words. */
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
