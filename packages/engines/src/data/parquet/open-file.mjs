// @ts-check
import { open } from 'node:fs/promises'
import { parquetMetadataAsync } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { isoTimestamp } from './iso-time.mjs'
import { beyond, damaged, named, Refusal } from './refusal.mjs'
import { readSchema } from './schema.mjs'

/**
 * @typedef {import('hyparquet').AsyncBuffer} AsyncBuffer
 * @typedef {import('hyparquet').RowGroup} RowGroup
 * @typedef {import('hyparquet').FileMetaData} FileMetaData
 * @typedef {{ bytes: number, columns: number, depth: number, values: number, footerBytes: number, pageBytes: number, outputBytes: number }} Limits
 * @typedef {{ file: AsyncBuffer, metadata: FileMetaData, columns: import('./schema.mjs').Node[] }} Table
 */

/** What the library makes of types that only it decodes: INT96, and values of variants. */
export const parsers = {
  timestampFromMilliseconds: (/** @type {bigint} */ value) => isoTimestamp(value, 1000n),
  timestampFromMicroseconds: (/** @type {bigint} */ value) => isoTimestamp(value, 1_000_000n),
  timestampFromNanoseconds: (/** @type {bigint} */ value) => isoTimestamp(value, 1_000_000_000n),
}

/**
 * Opens a file and measures it before any value is read.
 * @param {string} path @param {Limits} limits
 * @returns {Promise<Table & AsyncDisposable>}
 */
export async function openTable(path, limits) {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    if (size > limits.bytes) throw beyond(`The file is larger than ${limits.bytes / 1024 ** 2} MiB`)
    const file = { byteLength: size, slice: sliceOf(handle, size) }
    await judgeFooter(file, limits)
    const metadata = await parquetMetadataAsync(file, { geoparquet: false, parsers })
    const { columns, leaves } = readSchema(metadata.schema, limits)
    await judgeGroups(file, metadata, leaves, limits)
    return { file, metadata, columns, [Symbol.asyncDispose]: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** @param {import('node:fs/promises').FileHandle} handle @param {number} size */
function sliceOf(handle, size) {
  return async (/** @type {number} */ start, /** @type {number} */ end = size) => {
    if (!(start >= 0 && start <= end && end <= size)) throw damaged(`bytes ${start} to ${end} of ${size}`)
    const bytes = new Uint8Array(end - start)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
    if (bytesRead !== bytes.length) throw damaged('the file ends too early')
    return bytes.buffer
  }
}

const encrypted = () =>
  new Refusal('input_encrypted', 'The Parquet file is encrypted, and its keys are not in it. Decrypt it first.')

/** @param {AsyncBuffer} file @param {Limits} limits */
async function judgeFooter(file, limits) {
  if (file.byteLength < 12) throw damaged('too short')
  const view = new DataView(await file.slice(file.byteLength - 8, file.byteLength))
  const mark = Buffer.from(view.buffer, 4, 4).toString('latin1')
  if (mark === 'PARE') throw encrypted()
  if (mark !== 'PAR1') throw damaged('no mark at the end')
  const size = view.getUint32(0, true)
  if (size > limits.footerBytes)
    throw beyond(`The description of the columns is larger than ${limits.footerBytes / 1024 ** 2} MiB`)
}

/** @param {AsyncBuffer} file @param {FileMetaData} metadata @param {{ path: string[], isFlat: boolean }[]} leaves @param {Limits} limits */
async function judgeGroups(file, { row_groups: groups }, leaves, limits) {
  let values = 0
  const count = (/** @type {number} */ more) => {
    values += more
    if (values > limits.values) throw beyond(`The table has more than ${named(limits.values)} values`)
  }
  for (const group of groups) {
    const rows = Number(group.num_rows)
    if (!(rows >= 0)) throw damaged(`a group of ${rows} rows`)
    count(rows)
    if (group.columns.length !== leaves.length) throw damaged('a group has other columns than the schema')
    for (const [n, column] of group.columns.entries()) {
      const own = judgeColumn(column)
      own.path_in_schema = [...(leaves[n]?.path ?? [])]
      const { values, held } = await judgePages(file, own, limits)
      // Of a column without lists every row has a value or a null.
      if (leaves[n]?.isFlat && values !== rows) throw damaged(`${values} values in ${rows} rows`)
      count(held)
    }
  }
}

/** @param {import('hyparquet').ColumnChunk} column */
function judgeColumn({ crypto_metadata: keys, meta_data: found, file_path: elsewhere }) {
  if (keys !== undefined || found === undefined) throw encrypted()
  if (elsewhere) throw new Refusal('unsupported', 'The columns of the table are in other files.')
  return found
}

/**
 * How many values the pages of a column hold, and how many with those of its dictionary. What the headers claim decides how much memory is used, so they are all
 * read first.
 * @param {AsyncBuffer} file @param {import('hyparquet').ColumnMetaData} column @param {Limits} limits
 */
async function judgePages(file, column, limits) {
  const first = column.dictionary_page_offset || column.data_page_offset
  const reader = { view: new DataView(new ArrayBuffer(0)), offset: 0 }
  const [start, size] = [Number(first), Number(column.total_compressed_size)]
  reader.view = new DataView(await file.slice(start, start + size))
  let [values, held, bytes] = [0, 0, 0]
  while (reader.offset < reader.view.byteLength - 1) {
    const header = parquetHeader(reader)
    const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header
    const own = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header
    const more = own?.num_values ?? 0
    if (!(packed >= 0 && unpacked >= 0 && more >= 0) || packed > reader.view.byteLength - reader.offset) {
      throw damaged('a page is larger than its column')
    }
    bytes += unpacked
    if (bytes > limits.pageBytes)
      throw beyond(`A column unpacks to more than ${limits.pageBytes / 1024 ** 2} MiB in one group of rows`)
    reader.offset += packed
    held += more
    if (header.dictionary_page_header === undefined) values += more
  }
  return { values, held }
}
