// @ts-check
import { parquetRead } from 'hyparquet'
import { decompressors } from './codecs.mjs'
import { openTable, parsers } from './open-file.mjs'
import { damaged } from './refusal.mjs'
import { JsonWriter, Output } from './table-out.mjs'

/**
 * @typedef {import('./schema.mjs').Node} Node
 * @typedef {import('./open-file.mjs').Table} Table
 * @typedef {{ input: string, output: string, to: string, indent: number, separator: string, limits: import('./open-file.mjs').Limits & { windowValues: number } }} Ask
 * @typedef {{ begin(names: string[]): void, row(values: any[]): void, end(): void, counts: Record<string, number> }} Rows
 */

/** Reads a table, some rows at a time, and writes it as text. @param {Ask} ask @param {(share: number) => void} progress */
export async function readTable(ask, progress) {
  await using table = await openTable(ask.input, ask.limits)
  const output = new Output(ask.output, ask.limits.outputBytes)
  try {
    const { names, renamed } = namesOf(table.columns)
    const rows = ask.to === 'csv' || ask.to === 'tsv' ? tableRows(ask, table, output) : jsonRows(ask, table, output)
    rows.begin(names)
    const total = table.metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
    const perWindow = Math.max(1, Math.floor(ask.limits.windowValues / table.columns.length))
    let groupStart = 0
    for (const group of table.metadata.row_groups) {
      const end = groupStart + Number(group.num_rows)
      for (let at = groupStart; at < end; at += perWindow) {
        await writeWindow(table, rows, at, Math.min(end, at + perWindow))
        progress(Math.min(1, at / total))
      }
      groupStart = end
    }
    rows.end()
    output.flush()
    return { ...rows.counts, columns: renamed }
  } finally {
    output.close()
  }
}

// Each column by itself: only its own bytes are in memory while it is decoded.
/** @param {Table} table @param {Rows} rows @param {number} rowStart @param {number} rowEnd */
async function writeWindow({ file, metadata, columns }, rows, rowStart, rowEnd) {
  /** @type {any[][]} */
  const data = []
  for (const { key } of columns) {
    /** @type {any[][]} */
    let column = []
    const onComplete = (/** @type {any[][]} */ found) => {
      column = found
    }
    const how = { compressors: decompressors, utf8: false, geoparquet: false, parsers }
    await parquetRead({ file, metadata, columns: [key], rowStart, rowEnd, ...how, onComplete })
    if (column.length !== rowEnd - rowStart) throw damaged(`${column.length} of ${rowEnd - rowStart} rows`)
    data.push(column)
  }
  for (let n = 0; n < rowEnd - rowStart; n++) rows.row(data.map((column) => column[n]?.[0]))
}

/** Names that differ: objects cannot have a key twice. @param {Node[]} columns */
function namesOf(columns) {
  const used = new Set()
  let renamed = 0
  const names = columns.map(({ name }) => {
    let own = name
    for (let n = 2; used.has(own); n++) own = `${name}_${n}`
    used.add(own)
    renamed += own === name ? 0 : 1
    return own
  })
  return { names, renamed }
}

/** @param {Ask} ask @param {Table} table @param {Output} output @returns {Rows} */
function jsonRows({ to, indent }, { columns }, output) {
  const isLines = to === 'jsonl'
  const json = new JsonWriter((piece) => output.put(piece), isLines ? 0 : indent)
  const level = isLines ? 0 : 1
  /** @type {[string, (level: number) => void][]} */
  let pairs = []
  /** @type {any[]} */
  let current = []
  let count = 0
  const counts = { special: 0 }
  return {
    counts,
    begin(names) {
      pairs = columns.map((column, n) => [names[n] ?? '', (inner) => json.write(column, current[n], inner)])
      if (!isLines) output.put('[')
    },
    row(values) {
      current = values
      if (!isLines) output.put(`${json.comma(count)}${json.line(1)}`)
      json.object(pairs, level)
      if (isLines) output.put('\n')
      count += 1
    },
    end() {
      if (!isLines) output.put(`${count > 0 ? json.line(0) : ''}]\n`)
      counts.special = json.special
    },
  }
}

const separators = /** @type {Record<string, string>} */ ({ comma: ',', semicolon: ';', tab: '\t', pipe: '|' })

/** @param {Ask} ask @param {Table} table @param {Output} output @returns {Rows} */
function tableRows({ to, separator }, { columns }, output) {
  const mark = to === 'tsv' ? '\t' : (separators[separator] ?? ',')
  const lineEnd = to === 'csv' ? '\r\n' : '\n'
  const isAlone = columns.length === 1
  const counts = { nested: 0 }
  const mustQuote = (/** @type {string} */ text) =>
    text.includes(mark) || /["\r\n]/.test(text) || (isAlone && text === '')
  const cell = (/** @type {string} */ text) => (mustQuote(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const nested = new JsonWriter((piece) => output.put(piece.replaceAll('"', '""')), 0)

  /** @param {Node} column @param {any} value */
  const put = (column, value) => {
    if (!column.isRepeated && (value === null || value === undefined)) output.put(cell(''))
    else if (column.kind === 'leaf' && !column.isRepeated) output.put(cell(column.leaf.text(value)))
    else {
      counts.nested += 1
      output.put('"')
      nested.write(column, value, 0)
      output.put('"')
    }
  }
  return {
    counts,
    begin: (names) => output.put(names.map(cell).join(mark) + lineEnd),
    row(values) {
      for (const [n, column] of columns.entries()) {
        if (n > 0) output.put(mark)
        put(column, values[n])
      }
      output.put(lineEnd)
    },
    end() {},
  }
}
