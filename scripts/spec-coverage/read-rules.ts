/** A rule, an attack or a limit: one row of a page. */
export interface Rule {
  readonly id: string
  readonly text: string
  readonly line: number
}

/** Rules of the interface, decisions and limits, and attacks and vulnerabilities by number. */
export const ruleId = /(?:[SDL]-[a-z0-9-]+|[A-D]\d\d|CVE-\d+-\d+)/

const row = new RegExp(`^\\| *(${ruleId.source}(?:, ${ruleId.source})*) *\\|(.*)$`)

/** Reads the tables of a page like `docs/spec-coverage.md`. A row may have several ids. */
export function readRules(markdown: string): readonly Rule[] {
  return markdown.split('\n').flatMap((text, index) => {
    const [, ids = '', cells = ''] = row.exec(text) ?? []
    // A pipe inside a cell is written `\|`.
    const [rule = ''] = cells.split(/(?<!\\)\|/)
    return ids === '' ? [] : ids.split(', ').map((id) => ({ id, text: rule.trim(), line: index + 1 }))
  })
}
