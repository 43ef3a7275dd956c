import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { makeMsg, sampleEml, sampleMbox } from '../../../../fixtures/mail.ts'
import { mail } from './mail.ts'

const bench = usePlanBench()

type Content = string | Uint8Array

async function convert(format: string, content: Content, to: string, options = {}) {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to, options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  const [main, ...attached] = end.files
  if (!main) throw new Error('nothing came out')
  return { bytes: main.bytes, text: main.bytes.toString(), attached, warnings: end.warnings }
}

async function wordsOf(pdf: Buffer): Promise<string> {
  return (await bench.tool('pdftotext', ['-layout', 'in-0.pdf', '-'], { files: { 'in-0.pdf': pdf } })).stdout
}

const samples: Readonly<Record<string, Content>> = { eml: sampleEml, mbox: sampleMbox, msg: makeMsg() }

describe('every pair', () => {
  it.each(mail.abilities.map(({ from, to }) => [from, to]))(
    '%s to %s has the header and the body',
    { timeout: 120_000 },
    async (from, to) => {
      const { bytes, text, warnings } = await convert(from, samples[from] ?? '', to)
      const words = to === 'pdf' ? await wordsOf(bytes) : text
      for (const word of [
        'Grüße aus München',
        'Zoë Müller',
        'sam@example.org',
        'Tue, 03 Feb 2026',
        'figures.csv (8 B)',
      ])
        expect(words).toContain(word)
      expect(words).toMatch(to === 'txt' ? /Plain words\./ : /Rich (<b>)?words/)
      expect(warnings).toContain('1 attachment was left out. The option attachments adds it as a file.')
    },
  )
})

describe('a message', () => {
  it('shows its own images and loads none from the web', { timeout: 120_000 }, async () => {
    const { text, warnings } = await convert('eml', sampleEml, 'html')
    expect(text).toMatch(/<img[^>]* src="data:image\/png;base64,/)
    expect(text).not.toContain('track.png')
    expect(warnings).toContain('Images on the web were not loaded.')
    expect((await convert('msg', makeMsg(), 'html')).text).toMatch(/<img[^>]* src="data:image\/png;base64,/)
  })

  it('gives its attachments as files if asked to', { timeout: 120_000 }, async () => {
    const { attached, warnings } = await convert('eml', sampleEml, 'txt', { attachments: true })
    expect(attached).toMatchObject([{ format: 'csv', bytes: Buffer.from('a,b\r\n1,2') }])
    expect(warnings).toEqual([])
    const outlook = await convert('msg', makeMsg(), 'pdf', { attachments: true })
    expect(outlook.attached).toMatchObject([{ format: 'csv', bytes: Buffer.from('a,b\n1,2\n') }])
  })

  it('is followed by the messages attached to it', { timeout: 120_000 }, async () => {
    const words = await wordsOf((await convert('msg', makeMsg(), 'pdf')).bytes)
    expect(words).toContain('Inner subject')
    expect(words).toContain('Inner words.')
  })

  it('in a mailbox begins on a sheet of its own', { timeout: 120_000 }, async () => {
    const { bytes } = await convert('mbox', sampleMbox, 'pdf')
    const pages = (await wordsOf(bytes)).split('\f').filter((page) => page.trim() !== '')
    expect(pages).toHaveLength(2)
    expect(pages[1]).toContain('From here on it is quoted.')
    expect(pages[1]).not.toContain('>From')
  })

  it('without MIME and with raw 8-bit letters is read', { timeout: 120_000 }, async () => {
    const old = Buffer.from('From: J\xfcrgen <j@example.org>\nSubject: \xdcbung\n\nGr\xfc\xdfe\n', 'latin1')
    const { text } = await convert('eml', old, 'txt')
    for (const word of ['Jürgen', 'Übung', 'Grüße']) expect(text).toContain(word)
  })

  it('attached in base64, which no standard allows, is read', { timeout: 120_000 }, async () => {
    const inner = Buffer.from('Subject: wrapped\n\nInner words.\n').toString('base64')
    const outer = `Subject: outer\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhello\n--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${inner}\n--b--\n`
    expect((await convert('eml', outer, 'txt')).text).toContain('Inner words.')
  })
})

/** Packs RTF like Outlook, but without back-references; the only reference marks the end. */
function packRtf(rtf: string): Buffer {
  const plain = Buffer.from(rtf, 'latin1')
  const pieces: Buffer[] = []
  for (let at = 0; at < plain.length; at += 8) {
    const piece = plain.subarray(at, at + 8)
    pieces.push(Buffer.from([piece.length < 8 ? 1 << piece.length : 0]), piece)
  }
  const place = (207 + plain.length) % 4096
  const end = Buffer.from([(place << 4) >> 8, (place << 4) & 0xff])
  const packed = Buffer.concat(plain.length % 8 === 0 ? [...pieces, Buffer.from([1]), end] : [...pieces, end])
  const header = Buffer.alloc(16)
  header.writeUInt32LE(packed.length + 12, 0)
  header.writeUInt32LE(plain.length, 4)
  header.write('LZFu', 8)
  return Buffer.concat([header, packed])
}

describe('the RTF of an Outlook message', () => {
  it('gives back the HTML it was made from', { timeout: 120_000 }, async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1251\fromhtml1 \deff0{\fonttbl{\f0\fcharset204 Arial;}}
{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 \'cf\'f0\'e8\'e2\'e5\'f2 {\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 bold{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0 \u8364?{\*\htmltag72 </p>}}}`
    const { text } = await convert('msg', makeMsg({ body: [['10090102', packRtf(rtf)]] }), 'html')
    expect(text).toContain('Привет <b>bold</b>€')
  })

  it('gives its text where there is nothing else', { timeout: 120_000 }, async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title secret}}\f0 First line\par Gr\'fc\'dfe \{x\}}`
    const { text } = await convert('msg', makeMsg({ body: [['10090102', packRtf(rtf)]] }), 'txt')
    expect(text).toContain('First line\nGrüße {x}')
    expect(text).not.toContain('secret')
  })

  it('is left where texts are in an old code page', { timeout: 120_000 }, async () => {
    const body = [['1000001E', Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])]] as const
    expect((await convert('msg', makeMsg({ body, codePage: 1251 }), 'txt')).text).toContain('Привет')
  })
})
