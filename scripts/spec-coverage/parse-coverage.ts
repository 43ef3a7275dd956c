/** A rule and the tests that prove it: one row of the page. */
export interface CoverageRow {
  readonly id: string
  readonly rule: string
  readonly tests: readonly TestName[]
  readonly line: number
}

/** A rule that a later issue implements. */
export interface LaterRow {
  readonly id: string
  readonly rule: string
  readonly issue: string
  readonly line: number
}

export interface TestName {
  readonly file: string
  readonly name: string
}

export interface Coverage {
  readonly rows: readonly CoverageRow[]
  readonly later: readonly LaterRow[]
}

/** Rules of the interface, decisions and limits, and attacks and vulnerabilities by number. */
const rowOfRule = /^\| *((?:[SDL]-|[ABC]\d\d|CVE-)[^|]*?) *\|/

/** Reads the tables of a page like `docs/spec-coverage.md`. Rows below a header that ends in `issue` are for later. */
export function parseCoverage(markdown: string): Coverage {
  const rows: CoverageRow[] = []
  const later: LaterRow[] = []
  let isLater = false
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1
    if (/^\| *id *\|/.test(text)) isLater = /\| *issue *\|$/.test(text.trimEnd())
    if (!rowOfRule.test(text)) continue
    const [id = '', rule = '', last = ''] = cellsOf(text)
    if (isLater) later.push({ id, rule, issue: last, line })
    else rows.push({ id, rule, tests: parseTests(last), line })
  }
  return { rows, later }
}

/** A pipe inside a cell is written `\|`. */
function cellsOf(row: string): readonly string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** `path`: name, several of them separated by `<br>`. */
function parseTests(cell: string): readonly TestName[] {
  return cell.split('<br>').flatMap((text) => {
    const [, file = '', name = ''] = /^\s*`([^`]+)`: *(.*?)\s*$/.exec(text) ?? []
    return file ? [{ file, name: name.replaceAll('\\*', '*').replaceAll('&lt;', '<') }] : []
  })
}
