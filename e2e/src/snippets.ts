import { readFileSync } from 'node:fs'

/** A fenced block of a page that its readers will copy. */
export interface Snippet {
  /** Where it begins, as `page:line`. */
  readonly where: string
  /** The first word after the fence: `sh`, `json`, `http`, `js`, or nothing. */
  readonly language: string
  /** What follows it, such as the schema that a JSON block obeys. */
  readonly note: string
  readonly code: string
  /** Why it is not run, where the line before it says so. */
  readonly notRun: string | undefined
}

const marker = /^<!-- not run: (.+) -->$/

/** The snippets of a page of the repository, in order. */
export function readSnippets(page: string): readonly Snippet[] {
  return findSnippets(page, readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8'))
}

/** The same of a text. */
export function findSnippets(page: string, text: string): readonly Snippet[] {
  const lines = text.split('\n')
  const found: Snippet[] = []
  for (let i = 0; i < lines.length; i++) {
    const [, info] = /^```(.*)$/.exec(lines[i] ?? '') ?? []
    if (info === undefined) continue
    const end = lines.indexOf('```', i + 1)
    if (end < 0) throw new Error(`${page}:${i + 1}: the block has no end`)
    const [language = '', ...note] = info.split(' ')
    const [, notRun] = marker.exec(lines[i - 1] ?? '') ?? []
    const code = lines.slice(i + 1, end).join('\n')
    found.push({ where: `${page}:${i + 1}`, language, note: note.join(' '), code, notRun })
    i = end
  }
  return found
}
