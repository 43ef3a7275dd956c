import i18next from 'i18next'
import { afterAll, beforeAll, expect, it } from 'vitest'
import list from '../locales/list/en.json'
import { nameJob, nameShare } from './name-job.ts'

beforeAll(async () => {
  const interpolation = { escapeValue: false }
  await i18next.init({ lng: 'en', fallbackLng: 'en', resources: { en: { list } }, interpolation })
})
afterAll(() => void i18next.removeResourceBundle('en', 'list'))

it('a job has the names of its files, and what they become', () => {
  expect(nameJob(['letter.docx'], 'pdf')).toEqual({ tag: 'letter.docx → pdf' })
  expect(nameJob(['letter.docx', 'b', 'c', 'd'], 'pdf')).toEqual({ tag: 'letter.docx and 3 more → pdf' })
  expect(nameJob(['letter.docx', 'photo.jpg'])).toEqual({ tag: 'letter.docx and 1 more' })
  expect(nameShare(['letter.pdf'])).toEqual({ tag: 'Shared: letter.pdf' })
  expect([nameJob([], 'pdf'), nameShare([])]).toEqual([{}, {}])
})

it('names are text on one line, and short', () => {
  expect(nameJob(['a\nb\u0000\ud800c$t(x) {{y}}'])).toEqual({ tag: 'a b \ufffdc$t(x) {{y}}' })
  expect(Array.from(nameJob(['😀'.repeat(5000)]).tag ?? '')).toHaveLength(201)
})
