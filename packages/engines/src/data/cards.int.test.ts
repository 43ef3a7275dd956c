import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { dataSources } from '../../../../fixtures/data.ts'

const bench = usePlanBench()

async function convert(from: string, content: string | Uint8Array, to: string) {
  const end = await bench.run({ operation: 'convert', sources: [{ format: from, content }], to })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return { text: String(end.files[0]?.bytes), warnings: end.warnings }
}

const card = (...lines: readonly string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')

describe('contacts', { timeout: 120_000 }, () => {
  it('of old phones are decoded line by line', async () => {
    const old = card(
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg=',
      '=20H;;;',
      'FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:J=F6rg',
      'TEL;WORK;VOICE:+49 1',
      'TEL;CELL:+49 2',
      'PHOTO;ENCODING=BASE64;JPEG:AAAA',
      ' BBBB',
      '',
    )
    const [found] = JSON.parse((await convert('vcf', old, 'json')).text)
    expect(found).toMatchObject({
      n: { family: 'Müller', given: 'Jörg H' },
      fn: 'Jörg',
      tel: [
        { value: '+49 1', type: ['WORK', 'VOICE'] },
        { value: '+49 2', type: ['CELL'] },
      ],
      photo: { value: 'AAAABBBB', encoding: 'base64' },
    })
    const table = await convert('vcf', old, 'csv')
    expect(table.text).toContain('n family,n given,fn,tel,tel type,tel 2,tel 2 type\r\n')
    expect(table.warnings).toEqual([expect.stringContaining('Images')])
  })

  it('keep folded lines, escaped marks, parts and groups', async () => {
    const text = card(
      'VERSION:4.0',
      'item1.EMAIL;TYPE=work,pref:a@example.org',
      'ADR;LABEL="1, Main St^nTown":;;1\\, Main St;Town;;123;UK',
      'NOTE:first\\nsecond\\, and a lo',
      ' ng line\\; end',
      'CATEGORIES:a,b\\,c',
      'ORG:Acme;Tools',
    )
    const [found] = JSON.parse((await convert('vcf', text, 'json')).text)
    expect(found).toEqual({
      version: '4.0',
      email: [{ value: 'a@example.org', type: ['work', 'pref'], group: 'item1' }],
      adr: [{ street: '1, Main St', locality: 'Town', code: '123', country: 'UK', label: '1, Main St\nTown' }],
      note: 'first\nsecond, and a long line; end',
      categories: ['a', 'b,c'],
      org: { name: 'Acme', unit: 'Tools' },
    })
  })

  it('are one row each', async () => {
    const { text } = await convert('vcf', card('FN:A', 'EMAIL:a@x') + card('FN:B', 'TEL:1'), 'csv')
    expect(text).toBe('fn,email,tel\r\nA,a@x,\r\nB,,1\r\n')
  })
})

describe('calendars', { timeout: 120_000 }, () => {
  it('keep times, their zones, and rules as they are', async () => {
    const [calendar] = JSON.parse((await convert('ics', dataSources.ics, 'json')).text)
    expect(calendar.vevent[0]).toMatchObject({
      summary: 'Planning, part 1',
      dtstart: { value: '2026-03-02T10:00:00', tzid: 'Europe/Berlin' },
      dtend: '2026-03-02T10:30:00Z',
      rrule: 'FREQ=WEEKLY;COUNT=3',
      exdate: ['2026-03-09T10:00:00Z', '2026-03-16T10:00:00Z'],
      attendee: [{ value: 'mailto:ada@example.org', cn: 'Lovelace, Ada', partstat: 'ACCEPTED' }],
    })
  })

  it('are one row for each event and task', async () => {
    const { text, warnings } = await convert('ics', dataSources.ics, 'csv')
    const [header, ...rows] = text.trim().split('\r\n')
    expect(header).toMatch(/^component,uid,summary,dtstart,dtstart tzid,dtend,/)
    expect(rows.map((row) => row.split(',')[0])).toEqual(['vevent', 'vtodo'])
    expect(warnings).toEqual([expect.stringContaining('time zones')])
  })

  it('that are none are refused', async () => {
    const run = (format: string, content: string) =>
      bench.run({ operation: 'convert', sources: [{ format, content }], to: 'csv' })
    expect(await run('ics', 'no calendar')).toMatchObject({ code: 'input_damaged' })
    expect(await run('vcf', 'BEGIN:VCARD\nEND:VCALENDAR\n')).toMatchObject({ code: 'input_damaged' })
    expect(await run('ics', 'BEGIN:VCALENDAR\nEND:VCALENDAR\n')).toMatchObject({ code: 'unsupported' })
  })
})
