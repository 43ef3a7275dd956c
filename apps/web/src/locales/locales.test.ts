import { describe, expect, it } from 'vitest'
import { type Language, languages } from '../app/languages.ts'

type Words = { readonly [key: string]: string | Words }

const files = import.meta.glob<Words>(['./*.json', './*/*.json'], { eager: true, import: 'default' })
const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { eager: true, import: 'default', query: '?raw' })

function flat(words: Words, above = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${above}${key}`, value] as const] : [...flat(value, `${above}${key}.`)],
    ),
  )
}

const wordsOf = (language: Language) =>
  new Map(
    Object.entries(files)
      .filter(([path]) => path.endsWith(`/${language}.json`))
      .flatMap(([, words]) => [...flat(words)]),
  )
const withoutForm = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')
const fieldsOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()
const english = wordsOf('en')
const bases = new Set([...english.keys()].map(withoutForm))
const counted = new Set([...english.keys()].filter((key) => key !== withoutForm(key)).map(withoutForm))

describe.each(Object.keys(languages) as Language[])('the words of %s', (language) => {
  const words = wordsOf(language)

  it('are complete, and there are no others', () => {
    expect([...new Set([...words.keys()].map(withoutForm))].sort()).toEqual([...bases].sort())
    expect([...words].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('have every form that the language counts by', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const key of counted) {
      const found = [...words.keys()].filter((one) => one !== key && withoutForm(one) === key)
      expect(found.sort(), key).toEqual(forms.map((form) => `${key}_${form}`).sort())
    }
  })

  it('have the same gaps to fill as the English ones', () => {
    for (const [key, text] of words) {
      const model = english.get(key) ?? english.get(`${withoutForm(key)}_other`) ?? ''
      // A language may write "one file" without the number.
      const names = fieldsOf(text).filter((name) => name !== 'count')
      expect(names, key).toEqual(fieldsOf(model).filter((name) => name !== 'count'))
    }
  })

  it.skipIf(language === 'en')('are not the English ones', () => {
    const same = [...words].filter(
      ([key, text]) => english.get(key) === text && /[a-z]{4}/.test(text.replace(/\{\{\w+\}\}/g, '')),
    )
    // Words that are the same in several languages.
    expect(
      same
        .map(([key]) => key)
        .filter(
          (key) =>
            !/^((nav|webhooks)\.(webhooks|title)|kind|list\.options|signIn\.code|options\.title|share\.link|sample\.sizes)/.test(
              key,
            ),
        ),
    ).toEqual([])
  })
})

it('every word is used', () => {
  const code = Object.values(sources).join('\n')
  const isUsed = (key: string) => {
    const group = key.slice(0, key.lastIndexOf('.'))
    return code.includes(`t('${key}'`) || code.includes(`\`${group}.\${`)
  }
  expect([...bases].filter((key) => !isUsed(key))).toEqual([])
})
