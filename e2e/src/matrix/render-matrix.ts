import { findFormat } from '@lathe/formats'
import type { PairResult } from './run-pair.ts'

interface Cell {
  readonly from: string
  readonly to: string
  readonly shown: string
}

/** The published page: what was run, when, and the results. */
export function renderMatrix(results: readonly PairResult[], left: readonly string[], ranAt: Date): string {
  const failing = results.filter(({ fault }) => fault !== undefined)
  const day = ranAt.toISOString().slice(0, 10)
  return `${[
    '# What was run',
    `Every pair this version advertises, each run once on a real file through the whole service by \`npm run matrix\`, its output opened by another program: ${results.length} pairs on ${day}, ${failing.length} failing. Numbers are milliseconds from claim to end for a small file on the machine that ran it; they compare pairs, not machines.`,
    ...(left.length > 0 ? [`Not run: ${left.join('; ')}.`] : []),
    ...renderFaults(failing),
    ...[...Map.groupBy(results, ({ pair }) => pair.operation)].map(([operation, own]) =>
      [`## ${operation}`, ...renderOperation(operation, own)].join('\n\n'),
    ),
  ].join('\n\n')}\n`
}

function renderFaults(failing: readonly PairResult[]): readonly string[] {
  if (failing.length === 0) return []
  const lines = failing.map(({ pair: { operation, from, to }, fault = '' }) => {
    return `- ${operation} ${from} → ${to}: ${fault.replaceAll('|', '/')}`
  })
  return ['## Failing', lines.join('\n')]
}

/** A table for each pair of families; a single list where a format is only converted to itself. */
function renderOperation(operation: string, results: readonly PairResult[]): readonly string[] {
  const cells = results.map(({ pair: { from, to }, fault, tookMs }) => {
    return { from, to, shown: fault === undefined ? String(tookMs) : '**fails**' }
  })
  if (cells.every(({ from, to }) => from === to)) return [renderList(cells)]
  const families = Map.groupBy(cells, ({ from, to }) => `${familyOf(from)} to ${familyOf(to)}`)
  return [...families].flatMap(([title, own]) => [`### ${operation} ${title}`, renderTable(own)])
}

function familyOf(ext: string): string {
  return findFormat(ext)?.family ?? 'other'
}

function renderList(cells: readonly Cell[]): string {
  const rows = cells.map(({ from, shown }) => `| ${from} | ${shown} |`)
  return ['| format | ms |', '|---|---|', ...rows].join('\n')
}

function renderTable(cells: readonly Cell[]): string {
  const rows = [...new Set(cells.map(({ from }) => from))]
  const columns = [...new Set(cells.map(({ to }) => to))]
  const shown = new Map(cells.map((cell) => [`${cell.from} ${cell.to}`, cell.shown]))
  return [
    `| from \\ to | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...rows.map((from) => `| ${from} | ${columns.map((to) => shown.get(`${from} ${to}`) ?? '').join(' | ')} |`),
  ].join('\n')
}
