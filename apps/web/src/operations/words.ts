import { addWords } from '../app/words.ts'
import { readyList } from '../converter/list/words.ts'

/** The words of the pages of operations; options are told as in the list of files. */
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
