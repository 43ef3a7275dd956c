import { readFileSync } from 'node:fs'

/** A fenced block of a page for readers to copy. */
export interface Snippet {
  /** Its position as `page:line`. */
  readonly where: string
  /** The first word after the fence: `sh`, `json`, `http`, `js`, or nothing. */
  readonly language: string
  /** The text after it, such as the schema of a JSON block. */
  readonly note: string
  /** The name of the file, if the page gives one. */
  readonly file?: string
  readonly code: string
  /** Why it is not run, if the line before it gives a reason. */
  readonly notRun: string | undefined
}

const marker = /^(?:<!--|\{\/\*) not run: (.+) (?:-->|\*\/\})$/
// A hidden comment with code that checks the effect of the blocks before it.
const hiddenStart = /^\{\/\* test (\w+)$/

/** The snippets of a page of the repository, in order. */
export function readSnippets(page: string): readonly Snippet[] {
  return findSnippets(page, readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8'))
}

/** The same for a text. */
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
