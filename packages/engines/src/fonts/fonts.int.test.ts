import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { makeFont } from '../testing/sample-fonts.ts'

const bench = usePlanBench()

const run = (format: string, content: string | Uint8Array, to: string) =>
  bench.run({ operation: 'convert', sources: [{ format, content }], to })

async function convert(format: string, content: Uint8Array, to: string): Promise<Buffer> {
  const end = await run(format, content, to)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

const scan = (bytes: Buffer, format: string) =>
  bench.tool('fc-scan', ['--format', '%{family}|%{fontformat}\\n', `a.${format}`], {
    files: { [`a.${format}`]: bytes },
  })

describe('fonts', () => {
  it.each([
    ['ttf', 'DejaVu'],
    ['otf', 'Noto'],
    ['ttc', 'Noto'],
  ])('keep their names on the way from %s to the web and back', { timeout: 120_000 }, async (format, family) => {
    const web = await convert(format, await makeFont(bench, format), 'woff2')
    const back = await convert(
      'woff2',
      await convert('woff2', web, 'woff').then((woff) => convert('woff', woff, 'woff2')),
      'ttf',
    )
    const { stdout } = await scan(back, 'ttf')
    expect(stdout).toContain(family)
    expect(stdout).toContain('TrueType')
  })

  it('that are none are refused', { timeout: 60_000 }, async () => {
    for (const format of ['ttf', 'otf', 'woff', 'woff2']) {
      expect(await run(format, 'no font', format === 'woff' ? 'ttf' : 'woff')).toMatchObject({ code: 'input_damaged' })
    }
  })
})
