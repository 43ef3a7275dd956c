/** The languages of the page, by their own names. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
} as const

export type Language = keyof typeof languages

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text)
}

/** The text direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** The first of the user's languages that the page supports. */
export function pickLanguage(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLanguage)
  return known ?? 'en'
}
