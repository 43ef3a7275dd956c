import { addWords } from '../app/words.ts'

/** Loads the translations for teams and invitations. */
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
