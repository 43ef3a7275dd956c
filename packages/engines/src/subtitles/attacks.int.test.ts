import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subtitleSources } from '../../../../fixtures/subtitles.ts'
import { canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'

let attacks: EngineAttacks
beforeAll(async () => {
  attacks = await openEngineAttacks()
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const formats = [...Object.keys(subtitleSources), 'vtt', 'ass']
const other = (format: string) => (format === 'srt' ? 'vtt' : 'srt')
const anyEnd = /^(done|input_damaged|limit_exceeded|output_missing)$/

const srt = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`

describe('subtitles that are something else', { timeout: 180_000 }, () => {
  it('open no file and reach no host', async () => {
    const scripts = [
      `#EXTM3U\n#EXTINF:1,\nfile://${canary}\n#EXTINF:1,\n${attacks.url}/x.ts\n`,
      `ffconcat version 1.0\nfile ${canary}\nfile ${attacks.url}/x\n`,
      `concat:${attacks.url}/h.m3u8|file://${canary}`,
      `subfile,,start,0,end,64,,:${canary}`,
      `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\n`,
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><BaseURL>file://${canary}</BaseURL></Period></MPD>`,
    ]
    for (const script of scripts) {
      for (const format of formats) expect((await attacks.run(format, script, other(format))).code).toMatch(anyEnd)
    }
  })

  it('keep commands of ASS and HTML as text, and fonts to themselves', async () => {
    const words = [
      '<script>alert(1)</script>',
      '{\\p1}m 0 0 l 9 9',
      `<font face="${canary}">x</font>`,
      '%s%n%x',
      '$(id)',
    ]
    for (const to of ['vtt', 'ass', 'lrc', 'ttml']) {
      for (const text of words) expect((await attacks.run('srt', srt(text), to)).code).toMatch(anyEnd)
    }
    const ass = `[Script Info]\nScriptType: v4.00+\n\n[Fonts]\nfontname: ../../${canary}\n!!!!\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,${canary}\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Kept words\n`
    const { code, shown } = await attacks.run('ass', ass, 'srt')
    expect(code).toBe('done')
    expect(shown).toContain('Kept words')
  })

  it('are XML without tags of strangers', async () => {
    const { shown } = await attacks.run(
      'srt',
      srt('</p><script>alert(1)</script><!DOCTYPE x [<!ENTITY e "x">]>'),
      'ttml',
    )
    expect(shown).not.toMatch(/<script|<!DOCTYPE|<!ENTITY/)
  })
})

describe('subtitles over a limit', { timeout: 180_000 }, () => {
  it.each([
    ['a line of 256 KiB', srt('x'.repeat(256 * 1024))],
    [
      'a hundred thousand of them',
      Array.from({ length: 100_000 }, (_, n) => `${n}\n00:00:01,000 --> 00:00:02,000\nx\n`).join('\n'),
    ],
    ['times beyond all time', '1\n99999999:00:00,000 --> 9999999999:59:59,999\nx\n'],
    ['fifty thousand tags in each other', srt('<b>'.repeat(50_000))],
    ['zeros', Buffer.alloc(100_000)],
  ])('end in time: %s', async (_, content) => {
    for (const to of ['vtt', 'ass', 'ttml']) {
      const { code, shown } = await attacks.run('srt', content, to)
      expect(code).toMatch(anyEnd)
      expect(shown.length).toBeLessThan(64 * 1024 ** 2)
    }
  })

  it.each(formats)('with damaged bytes end in a result or a failure: %s [A13]', async (format) => {
    const whole = Buffer.from(subtitleSources[format] ?? subtitleSources.srt ?? '')
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 5)) {
      const broken = Buffer.from(whole)
      broken.fill(0xff, at, at + 6)
      expect((await attacks.run(format, broken, other(format))).code).toMatch(anyEnd)
    }
  })
})
