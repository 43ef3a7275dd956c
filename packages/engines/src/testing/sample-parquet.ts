import type { SchemaElement } from 'hyparquet'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'

const common = { repetition_type: 'OPTIONAL' } as const

/** A table with a column of every type that is converted to text differently. */
export function sampleParquet(): Buffer {
  const schema: SchemaElement[] = [
    { name: 'schema', num_children: 12 },
    { name: 'whole', type: 'INT64', ...common },
    { name: 'unsigned', type: 'INT64', converted_type: 'UINT_64', ...common },
    {
      name: 'price',
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 16,
      converted_type: 'DECIMAL',
      scale: 2,
      precision: 38,
      ...common,
    },
    { name: 'single', type: 'FLOAT', ...common },
    { name: 'day', type: 'INT32', converted_type: 'DATE', ...common },
    { name: 'at', type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' }, ...common },
    {
      name: 'local',
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' },
      ...common,
    },
    { name: 'clock', type: 'INT32', converted_type: 'TIME_MILLIS', ...common },
    { name: 'bytes', type: 'BYTE_ARRAY', ...common },
    { name: 'uuid', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' }, ...common },
    { name: 'list', converted_type: 'LIST', num_children: 1, ...common },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'INT64', ...common },
    { name: 'struct', num_children: 2, ...common },
    { name: '__proto__', type: 'BYTE_ARRAY', converted_type: 'UTF8', ...common },
    { name: 'a.b', type: 'BOOLEAN', ...common },
  ]
  const bytes = (...all: number[]) => new Uint8Array(all)
  const struct = JSON.parse('{"__proto__": "own", "a.b": true}')
  const columns: Readonly<Record<string, readonly unknown[]>> = {
    whole: [9223372036854775807n, -9007199254740993n, null],
    unsigned: [18446744073709551615n, 1n, null],
    price: [-123456789012345678901234567890123456n, 5n, null],
    single: [0.1, -0, null],
    day: [19723, -719529, null],
    at: [1700000000123456789n, -1n, null],
    local: [1700000000000000n, 253402300800000000n, null],
    clock: [3_723_004, 0, null],
    bytes: [new TextEncoder().encode('Grüße'), bytes(255, 0, 1), null],
    uuid: ['00112233-4455-6677-8899-aabbccddeeff', 'ffffffff-ffff-ffff-ffff-ffffffffffff', null],
    list: [[1n, null, 3n], [], null],
    struct: [struct, Object.create(null), null],
  }
  const columnData = Object.entries(columns).map(
    ([name, data]): ColumnSource => ({ name, data: [...data], statistics: false }),
  )
  return Buffer.from(parquetWriteBuffer({ schema, columnData }))
}

/** A table of one column of whole numbers. */
export function plainParquet(rows: number, name = 'a'): Buffer {
  const data = Array.from({ length: rows }, (_, n) => n)
  return Buffer.from(parquetWriteBuffer({ columnData: [{ name, data, type: 'INT32' }] }))
}
