import { addWords } from '../../app/words.ts'

/** Loads the translations of the page for administrators. */
export function readyAdmin(): Promise<void> {
  return addWords('admin', {
    en: () => import('../../locales/admin/en.json'),
    de: () => import('../../locales/admin/de.json'),
    fr: () => import('../../locales/admin/fr.json'),
    es: () => import('../../locales/admin/es.json'),
    ja: () => import('../../locales/admin/ja.json'),
    ar: () => import('../../locales/admin/ar.json'),
  })
}
