import { randomBytes } from 'node:crypto'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type DxfGroups, sampleDxf, shapes } from '../testing/sample-dxf.ts'

const bench = usePlanBench()

const run = (content: Buffer, to = 'pdf') =>
  bench.run({ operation: 'convert', sources: [{ format: 'dxf', content }], to })

async function convert(content: Buffer, to = 'pdf'): Promise<Buffer> {
  const end = await run(content, to)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

const textOf = async (pdf: Buffer) =>
  (await bench.tool('pdftotext', ['a.pdf', '-'], { files: { 'a.pdf': pdf } })).stdout

describe('a DXF drawing', { timeout: 120_000 }, () => {
  it.each([
    ['text', sampleDxf()],
    ['text with the line ends of Windows', Buffer.from(String(sampleDxf()).replaceAll('\n', '\r\n'))],
  ])('keeps its words and shapes from %s', async (_, content) => {
    expect(await textOf(await convert(content))).toContain('Ground floor')
    const { channels } = await sharp(await convert(content, 'png')).stats()
    expect(channels[0]?.min).toBeLessThan(200)
  })

  it('becomes svg and jpg', async () => {
    expect(String(await convert(sampleDxf(), 'svg'))).toMatch(/<svg[\s\S]*Ground/)
    expect(await sharp(await convert(sampleDxf(), 'jpg')).metadata()).toMatchObject({ format: 'jpeg' })
  })
})

describe('hostile DXF drawings', { timeout: 300_000 }, () => {
  const insert = (name: string, columns: number): DxfGroups => [
    ...([
      [0, 'INSERT'],
      [8, '0'],
      [2, name],
      [10, 0],
      [20, 0],
    ] as const),
    ...([
      [70, columns],
      [71, columns],
      [44, 1],
      [45, 1],
    ] as const),
  ]
  const block = (name: string, groups: DxfGroups): DxfGroups => [
    ...([
      [0, 'BLOCK'],
      [8, '0'],
      [2, name],
      [10, 0],
      [20, 0],
    ] as const),
    ...groups,
    [0, 'ENDBLK'],
  ]

  it.each([
    ['that insert themselves', sampleDxf([...shapes, ...insert('A', 1)], block('A', insert('A', 1)))],
    ['of shapes without end', sampleDxf([...shapes, ...insert('A', 32_767)], block('A', shapes))],
    [
      'of numbers beyond all bounds',
      sampleDxf([
        [0, 'LINE'],
        [8, '0'],
        [10, '1e308'],
        [20, '-1e308'],
        [11, 'nan'],
        [21, '9'.repeat(400)],
      ]),
    ],
    ['cut in the middle', sampleDxf().subarray(0, 150)],
    ['of noise', Buffer.concat([Buffer.from('AutoCAD Binary DXF\r\n\x1a\0'), randomBytes(5000)])],
  ])('%s are drawn or refused in time', async (_, content) => {
    const startedAt = performance.now()
    const end = await run(content)
    expect(performance.now() - startedAt).toBeLessThan(200_000)
    if (isFailure(end))
      expect(['input_damaged', 'limit_exceeded', 'engine_timeout', 'engine_crashed']).toContain(end.code)
  })

  it('name no other file', async () => {
    const image: DxfGroups = [
      [0, 'IMAGEDEF'],
      [1, '/etc/passwd'],
      [0, 'TEXT'],
      [8, '0'],
      [10, 0],
      [20, 0],
      [40, 5],
      [1, 'x'],
    ]
    const end = await run(sampleDxf(image))
    if (!isFailure(end)) expect(await textOf(end.files[0]?.bytes ?? Buffer.alloc(0))).not.toContain('nobody')
  })
})
