import { addWords } from '../../app/words.ts'

/** Loads the translations of the tools: users who only convert files never load them. */
export function readyTools(): Promise<void> {
  return addWords('tools', {
    en: () => import('../../locales/tools/en.json'),
    de: () => import('../../locales/tools/de.json'),
    fr: () => import('../../locales/tools/fr.json'),
    es: () => import('../../locales/tools/es.json'),
    ja: () => import('../../locales/tools/ja.json'),
    ar: () => import('../../locales/tools/ar.json'),
  })
}
