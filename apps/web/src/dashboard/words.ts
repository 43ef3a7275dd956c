import { addWords } from '../app/words.ts'
import { readyList } from '../converter/list/words.ts'

/** Loads the translations of the dashboard: users who only convert files never load them. */
export async function readyDashboard(): Promise<void> {
  await readyList()
  await addWords('dashboard', {
    en: () => import('../locales/dashboard/en.json'),
    de: () => import('../locales/dashboard/de.json'),
    fr: () => import('../locales/dashboard/fr.json'),
    es: () => import('../locales/dashboard/es.json'),
    ja: () => import('../locales/dashboard/ja.json'),
    ar: () => import('../locales/dashboard/ar.json'),
  })
}
