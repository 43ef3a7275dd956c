import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'

const bench = usePlanBench()

const run = (from: string, content: string | Uint8Array, to: string) =>
  bench.run({ operation: 'convert', sources: [{ format: from, content }], to })

async function textOf(from: string, content: string | Uint8Array, to: string) {
  const end = await run(from, content, to)
  return end.kind === 'done' ? String(end.files[0]?.bytes) : end.code
}

const letters = [...'abcdefghi']
const laughs = letters.map((name, n) => `${name}: &${name} [${Array(10).fill(n === 0 ? 'ha' : `*${letters[n - 1]}`)}]`)
const entities = letters.map((name, n) => `<!ENTITY ${name} "${(n === 0 ? 'ha' : `&${letters[n - 1]};`).repeat(10)}">`)

describe('a document over a limit', { timeout: 120_000 }, () => {
  it.each([
    ['json', '['.repeat(100_000), 'yaml'],
    ['json', '{"a":'.repeat(100_000), 'yaml'],
    ['jsonl', '['.repeat(100_000), 'json'],
    ['yaml', '['.repeat(100_000), 'json'],
    ['yaml', `${'- '.repeat(50_000)}a`, 'json'],
    ['toml', `a = ${'['.repeat(100_000)}`, 'json'],
    ['toml', `[${'a.'.repeat(50_000)}b]`, 'json'],
    ['xml', '<a>'.repeat(100_000), 'json'],
    ['ics', 'BEGIN:VCALENDAR\n'.repeat(100_000), 'json'],
  ])('is refused however deep it is: %s [B07, L-data-depth]', async (from, content, to) => {
    expect(await run(from, content, to)).toMatchObject({ kind: 'failure', code: 'limit_exceeded' })
  })

  it.each([
    ['yaml', laughs.join('\n'), 'limit_exceeded'],
    ['yaml', `a: &a ${'x'.repeat(100_000)}\nb: [${Array(1000).fill('*a')}]`, 'limit_exceeded'],
    ['yaml', 'a: &a [*a]', 'input_damaged'],
    ['yaml', 'a: &a {b: *a}', 'input_damaged'],
    ['xml', `<!DOCTYPE a [${entities.join('')}]><a>&i;</a>`, 'input_damaged'],
    ['xml', `<!DOCTYPE a [${entities.join('')}]><a b="&i;"/>`, 'input_damaged'],
    [
      'yaml',
      `a: &a {${Array.from({ length: 1000 }, (_, n) => `k${n}: 1`)}}\nb:\n${'- <<: *a\n'.repeat(5000)}`,
      'limit_exceeded',
    ],
    ['csv', `${Array.from({ length: 20_000 }, (_, n) => `c${n}`)}\n${'x\n'.repeat(20_000)}`, 'limit_exceeded'],
  ])('is refused if it grows when it is read: %s [L-data-bytes, L-data-values]', async (from, content, code) => {
    expect(await run(from, content, 'json')).toMatchObject({ kind: 'failure', code })
  })

  it.each(['csv', 'tsv'])('ends although it has a million columns: %s', async (from) => {
    const line = (cell: string) =>
      Array(1_000_000)
        .fill(cell)
        .join(from === 'csv' ? ',' : '\t')
    for (const to of ['json', 'xml', 'yaml']) {
      const end = await run(from, `${line('')}\n${line('x')}\n`, to)
      expect(end.kind === 'done' ? 'done' : end.code).toMatch(/^(done|limit_exceeded|input_damaged)$/)
    }
  })

  it('is refused if a table of it grows [L-data-cells]', async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => `{"k${n}":1}`)
    expect(await run('json', `[${rows}]`, 'csv')).toMatchObject({ code: 'limit_exceeded' })
  })

  it.each(['json', 'yaml', 'toml', 'xml', 'csv'])('is read although a number has 100,000 digits: %s', async (from) => {
    const digits = '7'.repeat(100_000)
    const written: Readonly<Record<string, string>> = {
      json: `{"a": ${digits}}`,
      yaml: `a: ${digits}`,
      toml: `a = ${digits}`,
      xml: `<a>${digits}</a>`,
      csv: `a\n${digits}\n`,
    }
    const text = await textOf(from, written[from] ?? '', from === 'json' ? 'yaml' : 'json')
    // TOML integers have 64 bits.
    if (from === 'toml') expect(text).toBe('input_damaged')
    else expect(text).toContain(digits)
  })
})

describe('a document with active content', { timeout: 120_000 }, () => {
  it.each([
    '!!python/object/apply:os.system ["id"]',
    '!!python/object/new:os.system [id]',
    '!!python/name:os.system',
    'a: !!python/module:os',
    '!!python/object:os.stat_result {}',
    '!<tag:yaml.org,2002:python/object/apply:subprocess.check_output> [[id]]',
    '- !!binary aGk=',
  ])('constructs nothing: %s', async (yaml) => {
    expect(await textOf('yaml', yaml, 'json')).not.toMatch(/uid|function|module|object/)
  })

  it.each([
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]><a/>',
    '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="/etc/passwd" parse="text"/></a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
  ])('opens no other file: %s [A08]', async (xml) => {
    expect(await textOf('xml', xml, 'json')).not.toContain('root:')
  })

  it('cannot write non-numbers as numbers', async () => {
    const xml = '<a xmlns:l="urn:lathe:data" l:type="number">1, "b": 2</a>'
    expect(JSON.parse(await textOf('xml', xml, 'json'))).toEqual({ a: '1, "b": 2' })
  })

  it('keeps cells that a spreadsheet would take for formulas as they are', async () => {
    const cells = ['=1+1', '+1', '-1+cmd', '@SUM(A1)']
    const csv = await textOf('json', JSON.stringify(cells.map((a) => ({ a }))), 'csv')
    expect(csv).toBe(`a\r\n${cells.join('\r\n')}\r\n`)
  })
})

describe('bytes that are not text', { timeout: 120_000 }, () => {
  it('are refused or kept, never cut off', async () => {
    expect(await textOf('json', '{"a":"x\0y"}', 'yaml')).toBe('input_damaged')
    expect(await textOf('yaml', 'a: x\0y', 'json')).toBe('input_damaged')
    expect(await textOf('xml', '<a>x\0y</a>', 'json')).toBe('input_damaged')
    expect(JSON.parse(await textOf('csv', 'a\nx\0y\n', 'json'))).toEqual([{ a: 'x\0y' }])
    expect(JSON.parse(await textOf('json', '{"a":"x\\u0000\\ud800y"}', 'jsonl'))).toEqual({ a: 'x\0\ud800y' })
  })

  it('are replaced if the output cannot contain them, with a warning', async () => {
    const end = await run('json', '{"a":"x\\u0000\\ud800y"}', 'xml')
    expect(end).toMatchObject({ warnings: [expect.stringContaining('cannot hold')] })
    expect(end.kind === 'done' && String(end.files[0]?.bytes)).toContain('<a>x\ufffd\ufffdy</a>')
  })

  it.each(['json', 'jsonl', 'yaml', 'toml', 'xml', 'csv', 'tsv', 'ics', 'vcf'])(
    'end in a result or a failure: %s',
    async (from) => {
      const noise = Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919 + 31) % 256))
      for (const content of [noise, Buffer.alloc(0), Buffer.from('\ufeff'), Buffer.from('\xff\xfe\0', 'latin1')]) {
        const end = await run(from, content, from === 'json' ? 'yaml' : 'json')
        expect(end.kind === 'done' ? 'done' : end.code).toMatch(/^(done|input_damaged)$/)
      }
    },
  )
})
