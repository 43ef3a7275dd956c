import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { subtitleSources } from '../../../../fixtures/subtitles.ts'

const bench = usePlanBench()

async function convert(format: string, content: string | Uint8Array, to: string, options = {}) {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to, options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return { text: String(end.files[0]?.bytes), warnings: end.warnings }
}

describe('subtitles', () => {
  it.each(Object.entries(subtitleSources).filter(([format]) => format !== 'srt'))(
    'keep words and times: %s',
    { timeout: 60_000 },
    async (format, content) => {
      const options = format === 'sub' ? { frame_rate: 24 } : {}
      const { text } = await convert(format, content, 'srt', options)
      expect(text).toContain('00:00:01,000 --> ')
      expect(text).toContain('00:00:03,000 --> ')
      expect(text).toMatch(/Hello there[\s\S]*Second line/)
    },
  )

  it('are shifted', { timeout: 60_000 }, async () => {
    const { text } = await convert('srt', subtitleSources.srt ?? '', 'vtt', { shift: 61.5 })
    expect(text).toContain('01:02.500 --> 01:04.000')
  })

  it('are read in other encodings', { timeout: 60_000 }, async () => {
    const western = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nH\xe9llo\n', 'latin1')
    const guessed = await convert('srt', western, 'vtt')
    expect(guessed.text).toContain('Héllo')
    expect(guessed.warnings).toEqual([expect.stringContaining('windows-1252')])
    expect((await convert('srt', western, 'vtt', { encoding: 'windows-1251' })).text).toContain('Hйllo')
  })

  it('name no other file', { timeout: 60_000 }, async () => {
    for (const content of ['ffconcat version 1.0\nfile /etc/passwd\n', '#EXTM3U\n#EXTINF:1,\n/etc/passwd\n']) {
      const end = await bench.run({ operation: 'convert', sources: [{ format: 'srt', content }], to: 'vtt' })
      const text = isFailure(end) ? '' : String(end.files[0]?.bytes)
      expect(text).not.toContain('nobody')
    }
  })
})
