import { addWords } from '../app/words.ts'
import { readyList } from '../converter/list/words.ts'

/** The words of the dashboard come with its pages: who only converts files never loads them. */
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
