import { addWords } from '../app/words.ts'
import { readyDashboard } from '../dashboard/words.ts'

/** Loads the translations of the command palette and of the pages it leads to. */
export async function readyPalette(): Promise<void> {
  await readyDashboard()
  await addWords('palette', {
    en: () => import('../locales/palette/en.json'),
    de: () => import('../locales/palette/de.json'),
    fr: () => import('../locales/palette/fr.json'),
    es: () => import('../locales/palette/es.json'),
    ja: () => import('../locales/palette/ja.json'),
    ar: () => import('../locales/palette/ar.json'),
  })
}
