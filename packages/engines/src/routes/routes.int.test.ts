import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'

const bench = usePlanBench()

async function convert(fixture: FixtureName, format: string, to: string) {
  const content = await readFile(fixturePath(fixture))
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.detail ?? end.text}`)
  expect(end.warnings[0]).toContain(`No engine converts ${format} to ${to} directly`)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

// Steps in warm runners and steps in processes, in both orders.
describe('a route, with the engines themselves', { timeout: 120_000 }, () => {
  it('draws a document', async () => {
    expect((await convert('letter.docx', 'docx', 'webp')).subarray(8, 12).toString()).toBe('WEBP')
  })

  it('makes a text of a message', async () => {
    expect((await convert('message.eml', 'eml', 'md')).toString()).toContain('# ')
  })

  it('makes data of a sheet', async () => {
    expect(JSON.parse((await convert('table.xlsx', 'xlsx', 'json')).toString())).toBeInstanceOf(Array)
  })

  it('makes a bitmap of a drawing', async () => {
    expect((await convert('drawing.eps', 'eps', 'bmp')).subarray(0, 2).toString()).toBe('BM')
  })
})
