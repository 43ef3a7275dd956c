import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type admin from '../locales/admin/en.json'
import type dashboard from '../locales/dashboard/en.json'
import type device from '../locales/device/en.json'
import en from '../locales/en.json'
import type entry from '../locales/entry/en.json'
import type firstRun from '../locales/first-run/en.json'
import type list from '../locales/list/en.json'
import type operations from '../locales/operations/en.json'
import type palette from '../locales/palette/en.json'
import type presets from '../locales/presets/en.json'
import type team from '../locales/team/en.json'
import type tools from '../locales/tools/en.json'
import { directionOf, isLanguage, type Language, pickLanguage } from './languages.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof en
      admin: typeof admin
      dashboard: typeof dashboard
      device: typeof device
      entry: typeof entry
      firstRun: typeof firstRun
      operations: typeof operations
      palette: typeof palette
      presets: typeof presets
      team: typeof team
      tools: typeof tools
      list: typeof list
    }
  }
}

const place = 'lathe.language'
type Loaders = Readonly<Record<Language, () => Promise<{ default: unknown }>>>

// English is the fallback, so it is bundled; other languages are loaded on demand.
const groups = new Map<string, Loaders>([
  [
    'translation',
    {
      en: async () => ({ default: en }),
      de: () => import('../locales/de.json'),
      fr: () => import('../locales/fr.json'),
      es: () => import('../locales/es.json'),
      ja: () => import('../locales/ja.json'),
      ar: () => import('../locales/ar.json'),
    },
  ],
])

/** Loads the translations in the language chosen here, or in one the browser prefers. */
export async function readyWords(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    // React already escapes every value.
    interpolation: { escapeValue: false },
  })
  const kept = readKept()
  await speak(kept && isLanguage(kept) ? kept : pickLanguage(navigator.languages)).catch(() => undefined)
}

/** Changes the language of the page, and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language)
  try {
    localStorage.setItem(place, language)
  } catch {
    // Without storage, the choice is not remembered.
  }
}

/** Adds translations that only some pages need, in the current language and in any it changes to. */
export async function addWords(group: string, loaders: Loaders): Promise<void> {
  groups.set(group, loaders)
  if (isLanguage(i18next.language)) await load(i18next.language)
}

async function load(language: Language): Promise<void> {
  for (const [group, loaders] of groups) {
    if (i18next.hasResourceBundle(language, group)) continue
    i18next.addResourceBundle(language, group, (await loaders[language]()).default)
  }
}

async function speak(language: Language): Promise<void> {
  await load(language)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

function readKept(): string | null {
  try {
    return localStorage.getItem(place)
  } catch {
    return null
  }
}
