import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { plainParquet, sampleParquet } from '../testing/sample-parquet.ts'

const bench = usePlanBench()

type Content = string | Uint8Array

const run = (from: string, content: Content, to: string, options = {}) =>
  bench.run({ operation: 'convert', sources: [{ format: from, content }], to, options })

async function convert(from: string, content: Content, to: string, options = {}) {
  const end = await run(from, content, to, options)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
  return { bytes, text: String(bytes), warnings: end.warnings }
}

const orders = [
  { id: 1, '2024': 'x', name: 'Ada', paid: true, price: 12.5, note: null },
  { id: 2, '2024': 'y', name: 'Grace "G", Hopper', paid: false, price: 0.001, note: 'two\nlines\u2028' },
]

describe('a Parquet table', { timeout: 120_000 }, () => {
  it.each(['snappy', 'gzip', 'zstd', 'none'])(
    'holds what was written to it, compressed with %s',
    async (compression) => {
      const { bytes, warnings } = await convert('json', JSON.stringify(orders), 'parquet', { compression })
      expect(warnings).toEqual([])
      expect(bytes.subarray(0, 4).toString()).toBe('PAR1')
      expect(JSON.parse((await convert('parquet', bytes, 'json')).text)).toEqual(orders)
    },
  )

  it.each(['jsonl', 'yaml', 'toml', 'xml', 'csv', 'tsv'])('is read and written as %s', async (format) => {
    const table = (await convert('json', JSON.stringify(orders.slice(1)), 'parquet')).bytes
    const { text } = await convert('parquet', table, format)
    const again = (await convert(format, text, 'parquet')).bytes
    expect(JSON.parse((await convert('parquet', again, 'json')).text)).toEqual(orders.slice(1))
  })

  it('keeps every digit, and writes times as ISO 8601', async () => {
    const { text, warnings } = await convert('parquet', sampleParquet(), 'jsonl')
    expect(warnings).toEqual([])
    expect(text.split('\n')).toEqual([
      '{"whole": 9223372036854775807, "unsigned": 18446744073709551615, "price": -1234567890123456789012345678901234.56, "single": 0.1, "day": "2024-01-01", "at": "2023-11-14T22:13:20.123456789Z", "local": "2023-11-14T22:13:20", "clock": "01:02:03.004", "bytes": "Grüße", "uuid": "00112233-4455-6677-8899-aabbccddeeff", "list": [1, null, 3], "struct": {"__proto__": "own", "a.b": true}}',
      '{"whole": -9007199254740993, "unsigned": 1, "price": 0.05, "single": -0, "day": "-000001-12-31", "at": "1969-12-31T23:59:59.999999999Z", "local": "+010000-01-01T00:00:00", "clock": "00:00:00", "bytes": "/wAB", "uuid": "ffffffff-ffff-ffff-ffff-ffffffffffff", "list": [], "struct": {"__proto__": null, "a.b": null}}',
      `{${['whole', 'unsigned', 'price', 'single', 'day', 'at', 'local', 'clock', 'bytes', 'uuid', 'list', 'struct'].map((name) => `"${name}": null`).join(', ')}}`,
      '',
    ])
  })

  it('has lists and structs as JSON in the cells of a table, with a warning', async () => {
    const { text, warnings } = await convert('parquet', sampleParquet(), 'csv', { separator: 'semicolon' })
    expect(text.split('\r\n')[1]).toMatch(/;"\[1, null, 3\]";"\{""__proto__"": ""own"", ""a.b"": true\}"$/)
    expect(warnings).toEqual([expect.stringContaining('4 cells')])
  })

  it('may be larger than memory', async () => {
    // Several row groups with several pages each.
    const lines = Array.from({ length: 250_000 }, (_, n) => `${n},row ${n}`)
    const table = (await convert('csv', `a,b\n${lines.join('\n')}`, 'parquet')).bytes
    const { text } = await convert('parquet', table, 'csv')
    expect(text).toBe(`a,b\r\n${lines.join('\r\n')}\r\n`)
  })

  it('gets the types that all values of a column have', async () => {
    const json =
      '[{"i": 9007199254740993, "d": 1, "m": 1.50, "b": true, "w": 18446744073709551616, "l": {"b": 1.10, "2": 3}}, {"d": 0.5, "m": "x", "w": 1}]'
    const { bytes, warnings } = await convert('json', json, 'parquet')
    expect((await convert('parquet', bytes, 'jsonl')).text).toBe(
      '{"i": 9007199254740993, "d": 1, "m": "1.50", "b": true, "w": "18446744073709551616", "l": {"b": 1.10, "2": 3}}\n' +
        '{"i": null, "d": 0.5, "m": "x", "b": null, "w": "1", "l": null}\n',
    )
    expect(warnings).toEqual([
      'Lists and objects inside of rows became JSON text in their cells (1 cell).',
      'Columns with values of several types became text (1 column).',
      'Whole numbers of more than 64 bits became text, with their columns (1 number).',
    ])
  })

  it('keeps NaN and Infinity, and says where a number loses digits', async () => {
    const { bytes, warnings } = await convert(
      'yaml',
      '- {a: .nan, b: 0.1234567890123456789}\n- {a: -.inf, b: 1}\n',
      'parquet',
    )
    expect(warnings).toEqual([expect.stringContaining('1 number')])
    expect((await convert('parquet', bytes, 'csv')).text).toBe('a,b\r\nNaN,0.12345678901234568\r\n-Infinity,1\r\n')
  })

  it('may have no rows', async () => {
    expect((await convert('parquet', plainParquet(0), 'csv')).text).toBe('a\r\n')
    expect((await convert('parquet', plainParquet(0), 'json')).text).toBe('[]\n')
  })

  it('is not made of what is no table', async () => {
    expect(await run('json', '{"a": 1}', 'parquet')).toMatchObject({ code: 'unsupported' })
  })
})

const thrift = (...bytes: number[]) => Buffer.from(bytes)

function withFooter(footer: Buffer, body = Buffer.alloc(0)): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), body, footer, size, Buffer.from('PAR1')])
}

describe('a hostile Parquet file', { timeout: 120_000 }, () => {
  it('that is encrypted is refused as such', async () => {
    const locked = Buffer.concat([Buffer.from('PARE'), Buffer.alloc(32), Buffer.from('PARE')])
    expect(await run('parquet', locked, 'csv')).toMatchObject({ code: 'input_encrypted' })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['marks alone', Buffer.from('PAR1PAR1')],
    ['an empty footer', withFooter(Buffer.alloc(0))],
    ['structs within structs', withFooter(Buffer.alloc(200_000, 0x1c))],
    ['a list of two billion', withFooter(thrift(0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07))],
    ['half of a table', plainParquet(1000).subarray(0, 700)],
    [
      'a table without its middle',
      Buffer.concat([plainParquet(1000).subarray(0, 100), plainParquet(1000).subarray(-300)]),
    ],
  ])('of %s is refused', async (_, content) => {
    expect(await run('parquet', content, 'json')).toMatchObject({ code: 'input_damaged' })
  })

  it('that was changed anywhere ends in a result or a failure', async () => {
    const table = sampleParquet()
    for (let at = 5; at < table.length; at += Math.ceil(table.length / 24)) {
      const bad = Buffer.from(table)
      bad[at] = (bad[at] ?? 0) ^ 0xff
      const end = await run('parquet', bad, 'json')
      expect(isFailure(end) ? end.code : 'done', `byte ${at}`).toMatch(
        /^(done|input_damaged|input_encrypted|limit_exceeded|unsupported)$/,
      )
    }
  })

  it('that repeats a value more often than it says stays within its memory', async () => {
    const end = await run('parquet', withLongRun(), 'json')
    expect(isFailure(end) ? end.code : 'done').toMatch(/^(input_damaged|limit_exceeded)$/)
  })
})

/** A table of 64 values. Its levels are a run of 64 ones whose header claims two billion. */
function withLongRun(): Buffer {
  const table = plainParquet(64)
  Buffer.from([0xfe, 0xff, 0xff, 0xff, 0x07, 0x01]).copy(table, table.indexOf(Buffer.from([0x80, 0x01, 0x01])))
  return table
}
