// @ts-check
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { compressors } from './codecs.mjs'
import { elementOf, newColumn, stored, storedAs, widen } from './infer.mjs'
import { rowsOf } from './json-rows.mjs'
import { beyond, named } from './refusal.mjs'

/**
 * @typedef {import('./infer.mjs').Column} Column
 * @typedef {{ input: string, output: string, compression: string, limits: { columns: number, groupRows: number, groupBytes: number } }} Ask
 */

const codecs = /** @type {const} */ ({ snappy: 'SNAPPY', gzip: 'GZIP', zstd: 'ZSTD', none: 'UNCOMPRESSED' })

/**
 * Writes rows of JSON as a table: once through them for the types of the columns, once for the values, a group of rows at
 * a time.
 * @param {Ask} ask @param {(share: number) => void} progress
 */
export function writeTable({ input, output, compression, limits }, progress) {
  const { columns, total } = inferColumns(input, limits)
  const kinds = columns.map(({ name, column }) => ({ name, kind: storedAs(column) }))
  const elements = kinds.map(({ name, kind }) => elementOf(name, kind))
  const writer = new ParquetWriter({
    writer: fileWriter(output),
    schema: [{ name: 'schema', num_children: kinds.length }, ...elements],
    codec: codecs[/** @type {keyof typeof codecs} */ (compression)] ?? 'SNAPPY',
    compressors,
    createdBy: 'Lathe',
  })
  let done = 0
  for (const rows of groupsOf(input, limits)) {
    const columnData = kinds.map(({ name, kind }, n) => ({
      name,
      data: rows.map((row) => stored(kind, row[n])),
      statistics: kind !== 'json',
    }))
    writer.write({ columnData, rowGroupSize: rows.length })
    done += rows.length
    progress(done / total)
  }
  // Readers that know only the older of the two ways to name a type find it too.
  for (const element of elements) if (element.logical_type?.type === 'JSON') element.converted_type = 'JSON'
  writer.finish()
  return countsOf(columns.map(({ column }) => column))
}

/** @param {string} input @param {Ask['limits']} limits */
function inferColumns(input, limits) {
  /** @type {{ name: string, column: Column }[]} */
  let columns = []
  let total = -1
  for (const { row } of rowsOf(input)) {
    total += 1
    if (total === 0) columns = row.map((name) => ({ name: String(name), column: newColumn() }))
    else for (const [n, { column }] of columns.entries()) widen(column, row[n])
    if (columns.length > limits.columns) throw beyond(`The table has more than ${named(limits.columns)} columns`)
  }
  return { columns, total }
}

/** @param {string} input @param {Ask['limits']} limits */
function* groupsOf(input, { groupRows, groupBytes }) {
  /** @type {unknown[][]} */
  let rows = []
  let size = 0
  let isHeader = true
  for (const { row, bytes } of rowsOf(input)) {
    if (!isHeader) rows.push(row)
    isHeader = false
    size += bytes
    if (rows.length >= groupRows || size >= groupBytes) {
      yield rows
      rows = []
      size = 0
    }
  }
  if (rows.length > 0) yield rows
}

/** The warnings, with how often each happened. @param {Column[]} columns */
function countsOf(columns) {
  const sum = (/** @type {(column: Column) => number} */ of) => columns.reduce((all, column) => all + of(column), 0)
  return {
    nested: sum((column) => (column.kind === 'json' ? column.nested : 0)),
    mixed_types: sum(({ isMixed }) => (isMixed ? 1 : 0)),
    wide_numbers: sum((column) => (column.kind === 'integer' ? column.long : 0)),
    digits: sum((column) => (column.kind === 'double' ? column.lossy : 0)),
  }
}
