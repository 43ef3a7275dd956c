import { dataLimits } from '../../../packages/engines/src/data/limits.ts'
import { groupLimits, parquetLimits } from '../../../packages/engines/src/data/parquet/limits.ts'
import { bytes, count, type LimitGroup, unmeasured } from './limit.ts'

const isLarge = 'The task fails with `limit_exceeded`.'

/** Limits of JSON, YAML, TOML, XML and tables, calendars and contacts, where they are converted as data. */
export const data: LimitGroup = {
  title: 'Data, tables, calendars and contacts',
  limits: [
    {
      id: 'L-data-bytes',
      name: 'Size of a file of data, a calendar or contacts; text of YAML with its aliases written out',
      value: bytes(dataLimits.bytes),
      beyond: `${isLarge} Split the file.`,
      real: unmeasured.data,
    },
    {
      id: 'L-data-values',
      name: 'Values in data: lists, objects, and what they hold; in a table, cells and rows',
      value: count(dataLimits.values),
      beyond: `${isLarge} Split the file.`,
      real: unmeasured.data,
    },
    {
      id: 'L-data-depth',
      name: 'Lists and objects inside one another',
      value: count(dataLimits.depth),
      beyond: isLarge,
      real: unmeasured.data,
    },
    {
      id: 'L-data-cells',
      name: 'Rows times columns of a table that data becomes',
      value: count(dataLimits.cells),
      beyond: `${isLarge} Split the file, or convert it to \`jsonl\`.`,
      real: unmeasured.data,
    },
    {
      id: 'L-parquet-bytes',
      name: 'Size of a Parquet file',
      value: bytes(parquetLimits.bytes),
      beyond: `${isLarge} Split the file.`,
      real: unmeasured.data,
    },
    {
      id: 'L-parquet-columns',
      name: 'Columns of a Parquet file, with those inside of structs and lists',
      value: count(parquetLimits.columns),
      beyond: isLarge,
      real: unmeasured.data,
    },
    {
      id: 'L-parquet-depth',
      name: 'Lists and structs inside one another in a Parquet file',
      value: count(parquetLimits.depth),
      beyond: isLarge,
      real: unmeasured.data,
    },
    {
      id: 'L-parquet-values',
      name: 'Values in a Parquet file: rows, cells, items of lists, and entries of dictionaries',
      value: count(parquetLimits.values),
      beyond: `${isLarge} Split the file.`,
      real: unmeasured.data,
    },
    {
      id: 'L-parquet-footer',
      name: 'Size of the description of the columns in a Parquet file',
      value: bytes(parquetLimits.footerBytes),
      beyond: isLarge,
      real: unmeasured.data,
    },
    {
      id: 'L-parquet-chunk',
      name: 'A column of one group of rows in a Parquet file, unpacked',
      value: bytes(parquetLimits.pageBytes),
      beyond: `${isLarge} Write smaller groups of rows.`,
      real: unmeasured.data,
    },
    {
      id: 'L-parquet-output',
      name: 'Text that a Parquet file becomes',
      value: bytes(parquetLimits.outputBytes),
      beyond: `${isLarge} Split the file.`,
      real: unmeasured.data,
    },
    {
      id: 'L-parquet-written-columns',
      name: 'Columns of a table that becomes a Parquet file',
      value: count(groupLimits.columns),
      beyond: isLarge,
      real: unmeasured.data,
    },
  ],
}
