/** How one advertised pair did on a real file. */
export interface PairResult {
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly tookMs?: number
  /** Why it failed; absent if the output was opened and is what was asked for. */
  readonly fault?: string
}

/** The published page: what was run, when, and how it went. */
export function renderMatrix(results: readonly PairResult[], ranAt: Date): string {
  const failing = results.filter(({ fault }) => fault !== undefined).length
  const sections = [...Map.groupBy(results, ({ operation }) => operation)].map(([operation, own]) => {
    return `## ${operation}\n\n${renderTable(own)}`
  })
  return `${[
    '# What was run',
    `Every pair this version advertises, each run once on a real file through the whole service by \`npm run matrix\`, its output opened by another program: ${results.length} pairs on ${ranAt.toISOString().slice(0, 10)}, ${failing} failing. Times are milliseconds from claim to end for a small file on the machine that ran it; they compare pairs, not machines.`,
    ...sections,
  ].join('\n\n')}\n`
}

function renderTable(results: readonly PairResult[]): string {
  const rows = [...new Set(results.map(({ from }) => from))]
  const columns = [...new Set(results.map(({ to }) => to))]
  const cell = (from: string, to: string) => {
    const result = results.find((one) => one.from === from && one.to === to)
    if (!result) return ''
    return result.fault === undefined ? String(result.tookMs) : `**${result.fault}**`
  }
  return [
    `| from \\ to | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...rows.map((from) => `| ${from} | ${columns.map((to) => cell(from, to)).join(' | ')} |`),
  ].join('\n')
}
