import { addWords } from '../../app/words.ts'

/** The words of the tools come with them: who only converts files never loads them. */
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
