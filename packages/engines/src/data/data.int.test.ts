import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const bench = usePlanBench()

type Content = string | Uint8Array

const run = (from: string, content: Content, to: string, options = {}) =>
  bench.run({ operation: 'convert', sources: [{ format: from, content }], to, options })

async function convert(from: string, content: Content, to: string, options = {}) {
  const end = await run(from, content, to, options)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return { text: String(end.files[0]?.bytes), warnings: end.warnings }
}

const orders = [
  { id: 1, name: 'Ada', zip: '01234', paid: true, price: 12.5, note: null },
  { id: 2, name: 'Grace "G", Hopper', zip: '99999', paid: false, price: 0.001, note: 'two\nlines' },
]

describe('data', { timeout: 120_000 }, () => {
  it.each(['jsonl', 'yaml', 'toml', 'xml', 'csv', 'tsv'])(
    'stays the same on the way to %s and back',
    async (format) => {
      const { text } = await convert('json', JSON.stringify(orders), format)
      const back = await convert(format, text, 'json')
      const found = JSON.parse(back.text)
      // TOML has neither null nor top-level lists, and a table cannot distinguish the text 99999 from the number.
      const expected =
        format === 'toml' ? orders.map(({ note, ...one }) => (note === null ? one : { ...one, note })) : orders
      const typed = ['csv', 'tsv'].includes(format)
        ? expected.map((one) => ({ ...one, zip: one.zip.startsWith('0') ? one.zip : Number(one.zip) }))
        : expected
      expect(found.items ?? found).toEqual(typed)
    },
  )

  it.each(['xml', 'yaml'])('of any form comes back from %s as it was', async (format) => {
    const text = fc.string({ unit: fc.constantFrom(...'a1 <&>"\'\n\t\r@#:-{}[],|ü世😀_=.0e+') })
    const key = fc.oneof(
      text,
      fc.constantFrom('@a', '#text', 'a:b', 'xml', '@xmlns:p', 'p:q', '1', '', 'item', 'root', '<<'),
    )
    const leaf = fc.oneof(
      fc.oneof(
        text,
        fc.constantFrom('no', '012', '1e5', '1.0', 'null', '~', 'true', ' ', '2024-01-01', '1_0', '0x1', '='),
      ),
      fc.constantFrom(0, -1, 1.5, 1e21, 1e-7, 2 ** 53, null, true, false),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }))
    const documents = fc.sample(value, { numRuns: 1500, seed: 7 })
    const there = await convert('json', JSON.stringify(documents), format)
    expect(there.warnings).toEqual([])
    const back = JSON.parse((await convert(format, there.text, 'json')).text)
    for (const [n, one] of documents.entries()) expect(back[n], JSON.stringify(one)).toEqual(one)
  })

  it.each([
    ['{"a":{"b":"c"}}', '<a>\n  <b>c</b>\n</a>\n'],
    ['{"a":{"@id":"x","#text":"words"}}', '<a id="x">words</a>\n'],
    ['{"list":{"row":[1,2]}}', '<list>\n  <row>1</row>\n  <row>2</row>\n</list>\n'],
  ])('is plain XML if that is lossless: %s', async (json, xml) => {
    expect((await convert('json', json, 'xml')).text).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`)
    expect(JSON.parse((await convert('xml', xml, 'json')).text)).toEqual(JSON.parse(json))
  })

  it('keeps namespaces and attributes of XML, and warns of what is lost', async () => {
    const xml = '<f xmlns="urn:a" xmlns:m="urn:m"><m:t k="1">x</m:t><p>Some <b>bold</b> text</p></f>'
    const { text, warnings } = await convert('xml', xml, 'json', { types: 'text' })
    const p = { b: 'bold', '#text': 'Some  text' }
    expect(JSON.parse(text)).toEqual({
      f: { '@xmlns': 'urn:a', '@xmlns:m': 'urn:m', 'm:t': { '@k': '1', '#text': 'x' }, p },
    })
    expect(warnings).toEqual([expect.stringContaining('Its place among the elements is lost')])
    const again = await convert('xml', (await convert('json', text, 'xml')).text, 'json', { types: 'text' })
    expect(JSON.parse(again.text)).toEqual(JSON.parse(text))
  })

  it.each(['json', 'yaml', 'xml'])('keeps all digits of a number: %s', async (format) => {
    const digits = [
      '12345678901234567890123456789',
      '0.1000000000000000055511151231257827',
      '-1.10',
      '9007199254740993',
    ]
    const json = `{"n": [${digits}]}`
    const there = format === 'json' ? { text: json } : await convert('json', json, format)
    const { text } = await convert(format, there.text, 'jsonl')
    expect(text).toBe(`{"n": [${digits.join(', ')}]}\n`)
  })

  it('keeps the order of keys, and the last of those given twice', async () => {
    const { text, warnings } = await convert('json', '{"z":1,"a":2,"z":3}', 'yaml')
    expect(text).toBe('z: 3\na: 2\n')
    expect(warnings).toEqual([expect.stringContaining('Keys were given more than once')])
  })

  it('takes YAML as version 1.1 does, without what its tags would construct', async () => {
    const yaml = 'a: &x [1, 0x1F]\nb: *x\nc: no\nd: !foo {e: 1_000}\nf: 2024-01-01\ng: 12:30\n<<: {h: .inf}\n---\n- x\n'
    const { text, warnings } = await convert('yaml', yaml, 'jsonl')
    expect(text).toBe(
      '{"a": [1, 31], "b": [1, 31], "c": false, "d": {"e": 1000}, "f": "2024-01-01", "g": "12:30", "h": null}\n["x"]\n',
    )
    expect(warnings).toHaveLength(3)
  })

  it('keeps dates where the format has them', async () => {
    const toml = 'day = 1979-05-27\nat = 1979-05-27T07:32:00-08:00\ntime = 07:32:00\n'
    const { text } = await convert('toml', toml, 'yaml')
    expect(text).toBe("day: 1979-05-27\nat: 1979-05-27T07:32:00-08:00\ntime: '07:32:00'\n")
    expect((await convert('yaml', text, 'toml')).text).toContain('at = 1979-05-27 07:32:00-08:00\n')
  })

  it('is laid out as asked', async () => {
    expect((await convert('yaml', 'a: {b: 1}', 'json', { indent: 4 })).text).toBe(
      '{\n    "a": {\n        "b": 1\n    }\n}\n',
    )
    expect((await convert('yaml', 'a: {b: 1}', 'json', { indent: 0 })).text).toBe('{"a": {"b": 1}}\n')
    expect((await convert('json', '{"a":{"b":1}}', 'yaml', { indent: 4 })).text).toBe('a:\n    b: 1\n')
    expect((await convert('json', '{"a":{"b":"x"}}', 'xml', { indent: 0 })).text).toContain('<a><b>x</b></a>')
  })

  it('of no valid form is refused, with the place', async () => {
    const place = (line: number) => expect.stringContaining(`line ${line}`)
    expect(await run('json', '{\n"a": 1,\n"b" 2}', 'yaml')).toMatchObject({ code: 'input_damaged', text: place(3) })
    expect(await run('jsonl', '{}\n{]\n', 'json')).toMatchObject({ code: 'input_damaged', text: place(2) })
    expect(await run('yaml', 'a: b\n c: d\n', 'json')).toMatchObject({ code: 'input_damaged', text: place(2) })
    expect(await run('toml', 'a = 1\nb = \n', 'json')).toMatchObject({ code: 'input_damaged', text: place(2) })
    expect(await run('xml', '<a>\n<b></a>', 'json')).toMatchObject({ code: 'input_damaged', text: place(2) })
  })
})

describe('tables', { timeout: 120_000 }, () => {
  it('contain lists and objects as JSON, with a warning', async () => {
    const { text, warnings } = await convert('json', '[{"a":1,"b":{"c":[1,2]}},{"a":"x","d":"y;z"}]', 'csv', {
      separator: 'semicolon',
    })
    expect(text).toBe('a;b;d\r\n1;"{""c"": [1, 2]}";\r\nx;;"y;z"\r\n')
    expect(warnings).toEqual([expect.stringContaining('1 cell')])
  })

  it.each([
    ['{"count": 2, "rows": [{"a": 1}]}', 1],
    ['{"data": {"rows": [{"a": 1}]}}', 0],
  ])('are found in %s', async (json, warned) => {
    const { text, warnings } = await convert('json', json, 'csv')
    expect(text).toBe('a\r\n1\r\n')
    expect(warnings).toHaveLength(warned)
  })

  it.each(['{"a": 1}', '[1, 2]', '[]', '"text"', '{"a": [{"x": 1}], "b": [{"x": 2}]}', '[[1, 2], [3, 4]]', '[{}]'])(
    'are refused where there is none: %s',
    async (json) => {
      const text = expect.stringContaining('A table is a list of objects')
      expect(await run('json', json, 'csv')).toMatchObject({ code: 'unsupported', text })
    },
  )

  it('keep leading zeros and long digits, and everything as text if asked', async () => {
    const csv = 'a,b,c,d,e,f\n007,1234567890123456,1.50,true,,1E5\n'
    const auto = JSON.parse((await convert('csv', csv, 'json')).text)
    expect(auto).toEqual([{ a: '007', b: '1234567890123456', c: 1.5, d: true, e: null, f: '1E5' }])
    const text = JSON.parse((await convert('csv', csv, 'json', { types: 'text' })).text)
    expect(text).toEqual([{ a: '007', b: '1234567890123456', c: '1.50', d: 'true', e: '', f: '1E5' }])
  })

  it.each([
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
    ['pipe', '|'],
  ])('are read with any separator: %s', async (separator, mark) => {
    const csv = `a${mark}b\n"x${mark}y"${mark}"two\nlines"\n`
    const expected = [{ a: `x${mark}y`, b: 'two\nlines' }]
    expect(JSON.parse((await convert('csv', csv, 'json')).text)).toEqual(expected)
    expect(JSON.parse((await convert('csv', csv, 'json', { separator })).text)).toEqual(expected)
  })

  it('lose no cell if rows and header have different lengths', async () => {
    const { text, warnings } = await convert('csv', 'a,a,\n1,2,3,4\n5\n\n', 'json')
    expect(JSON.parse(text)).toEqual([
      { a: 1, a_2: 2, column_3: 3, column_4: 4 },
      { a: 5, a_2: null, column_3: null, column_4: null },
    ])
    expect(warnings).toHaveLength(2)
  })

  it('are read in the encodings that spreadsheets write', async () => {
    const text = 'name;city\nJörg;Köln €\n'
    const expected = [{ name: 'Jörg', city: 'Köln €' }]
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
    for (const content of [`\ufeff${text}`, wide, wide.swap16()]) {
      const end = await convert('csv', Buffer.from(content as never), 'json')
      expect(JSON.parse(end.text)).toEqual(expected)
      expect(end.warnings).toEqual([])
    }
    const windows = await convert('csv', Buffer.from(text.replace('€', '\x80'), 'latin1'), 'json')
    expect(JSON.parse(windows.text)).toEqual(expected)
    expect(windows.warnings).toEqual(['The text is not UTF-8, so it was read as windows-1252.'])
  })
})
