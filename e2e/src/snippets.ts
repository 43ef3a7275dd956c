import { readFileSync } from 'node:fs'

/** A fenced block of a page that its readers will copy. */
export interface Snippet {
  /** Where it begins, as `page:line`. */
  readonly where: string
  /** The first word after the fence: `sh`, `json`, `http`, `js`, or nothing. */
  readonly language: string
  /** What follows it, such as the schema that a JSON block obeys. */
  readonly note: string
  /** The file it is, where the page names one. */
  readonly file?: string
  readonly code: string
  /** Why it is not run, where the line before it says so. */
  readonly notRun: string | undefined
}

const marker = /^(?:<!--|\{\/\*) not run: (.+) (?:-->|\*\/\})$/
// A comment with code that readers do not see: it checks what the blocks before it have done.
const hiddenStart = /^\{\/\* test (\w+)$/

/** The snippets of a page of the repository, in order. */
export function readSnippets(page: string): readonly Snippet[] {
  return findSnippets(page, readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8'))
}

/** The same of a text. */
export function findSnippets(page: string, text: string): readonly Snippet[] {
  const lines = text.split('\n')
  const found: Snippet[] = []
  const closing = (end: string, i: number) => {
    const at = lines.indexOf(end, i + 1)
    if (at < 0) throw new Error(`${page}:${i + 1}: the block has no end`)
    return at
  }
  for (let i = 0; i < lines.length; i++) {
    const where = `${page}:${i + 1}`
    const [, hidden] = hiddenStart.exec(lines[i] ?? '') ?? []
    const [, info] = /^```(.*)$/.exec(lines[i] ?? '') ?? []
    if (hidden === undefined && info === undefined) continue
    const end = closing(hidden === undefined ? '```' : '*/}', i)
    const code = lines.slice(i + 1, end).join('\n')
    const [language = '', ...note] = (hidden ?? info ?? '').split(' ')
    const [, file] = /^title="([^"]+)"$/.exec(note.join(' ')) ?? []
    const [, notRun] = marker.exec(lines[i - 1] ?? '') ?? []
    found.push({ where, language, note: note.join(' '), code, notRun, ...(file === undefined ? {} : { file }) })
    i = end
  }
  return found
}
