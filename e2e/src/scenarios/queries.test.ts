import type { FormatList } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { stack } from '../scenario.ts'

const anyone = createClient({ url: stack.url, recordFile: stack.recordFile })

async function formats(path: string): Promise<string[]> {
  const { status, body } = await anyone.get<FormatList>(`/v1/query/formats${path}`)
  expect(status).toBe(200)
  return body.formats.map(({ ext }) => ext)
}

const pictures = ['avif', 'gif', 'jpg', 'png', 'tiff', 'webp']

describe('format queries', () => {
  it('need no key and list all formats the service knows', async () => {
    expect(await formats('')).toEqual(expect.arrayContaining([...pictures, 'docx', 'mp4', 'pdf', 'svg', 'wav', 'xlsx']))
  })

  it('list the outputs of an input', async () => {
    const found = await formats('/convert?input_format=jpg')
    expect(found).toEqual(expect.arrayContaining([...pictures, 'pdf']))
    expect(found).not.toContain('mp3')
    expect(await formats('/merge?input_format=pdf')).toEqual(['gif', 'pdf'])
    expect(await formats('/compress?input_format=png')).toEqual(['png'])
    expect(await formats('/crop?input_format=png')).toEqual(['png'])
    expect(await formats('/trim?input_format=docx')).toEqual([])
  })

  it('list the inputs of an output', async () => {
    expect(await formats('/convert?output_format=pdf')).toEqual(expect.arrayContaining([...pictures, 'docx', 'svg']))
    expect(await formats('/merge?output_format=pdf')).toEqual(expect.arrayContaining([...pictures, 'pdf', 'svg']))
    expect(await formats('/merge?output_format=gif')).not.toContain('docx')
  })

  it('list the union for *', async () => {
    const outputs = await formats('/convert?input_format=*')
    const inputs = await formats('/convert?output_format=*')
    for (const one of ['jpg', 'mp4', 'docx']) {
      expect(outputs).toEqual(expect.arrayContaining(await formats(`/convert?input_format=${one}`)))
      expect(inputs).toEqual(expect.arrayContaining(await formats(`/convert?output_format=${one}`)))
    }
    expect(outputs).not.toContain('xcf')
    expect(inputs).toContain('xcf')
  })

  it('list every format of the operation without a parameter', async () => {
    const both = [...(await formats('/convert?input_format=*')), ...(await formats('/convert?output_format=*'))]
    expect(await formats('/convert')).toEqual([...new Set(both)].sort())
    expect(await formats('/trim')).toEqual(expect.arrayContaining(['gif', 'mp3', 'mp4', 'pdf']))
  })

  it('list extensions sorted, each once', async () => {
    for (const path of ['', '/convert', '/compress', '/merge', '/crop', '/trim']) {
      const found = await formats(path)
      expect(found).toEqual([...new Set(found)].sort())
    }
  })

  it('ignore case', async () => {
    expect(await formats('/convert?input_format=JPG')).toEqual(await formats('/convert?input_format=jpg'))
  })

  it('list nothing for an unknown extension', async () => {
    expect(await formats('/convert?input_format=nope')).toEqual([])
  })

  it.each(['input_format=jpg&output_format=png', 'input_format=*&output_format=*'])(
    'are refused for both sides at once: %s',
    async (query) => {
      for (const operation of ['convert', 'compress', 'merge', 'crop', 'trim']) {
        expect((await anyone.refused('GET', `/v1/query/formats/${operation}?${query}`)).status).toBe(400)
      }
    },
  )
})
