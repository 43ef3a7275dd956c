import { addWords } from '../app/words.ts'

/** The words about teams and invitations come with the pages that need them. */
export function readyTeam(): Promise<void> {
  return addWords('team', {
    en: () => import('../locales/team/en.json'),
    de: () => import('../locales/team/de.json'),
    fr: () => import('../locales/team/fr.json'),
    es: () => import('../locales/team/es.json'),
    ja: () => import('../locales/team/ja.json'),
    ar: () => import('../locales/team/ar.json'),
  })
}
