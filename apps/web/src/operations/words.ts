import { addWords } from '../app/words.ts'
import { readyList } from '../converter/list/words.ts'

/** Loads the translations of the operation pages; options use those of the list of files. */
export async function readyOperations(): Promise<void> {
  await Promise.all([
    readyList(),
    addWords('operations', {
      en: () => import('../locales/operations/en.json'),
      de: () => import('../locales/operations/de.json'),
      fr: () => import('../locales/operations/fr.json'),
      es: () => import('../locales/operations/es.json'),
      ja: () => import('../locales/operations/ja.json'),
      ar: () => import('../locales/operations/ar.json'),
    }),
  ])
}
