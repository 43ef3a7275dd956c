import type { OptionSet } from '@lathe/contract'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { openOutput } from '../outputs.ts'
import { completed, importFixture, newClient, outputOf } from '../scenario.ts'

let api: Client
let photo: string
beforeAll(async () => {
  api = await newClient()
  photo = (await importFixture(api, 'photo-40k.jpg')).id
})

const convert = (output_format: string, options: object) => api.run('convert', { input: photo, output_format, options })
const refused = (output_format: string, options: object, more = {}) =>
  api.refused('POST', '/v1/process/convert', { json: { input: photo, output_format, options, ...more } })

describe('the options query', () => {
  it('returns the options of the documented example for jpg to pdf [S-opt-16]', async () => {
    const { body } = await api.get<OptionSet>('/v1/query/options/convert?input_format=jpg&output_format=pdf')
    expect(body).toMatchObject({ sourceExt: 'jpg', targetExt: 'pdf', operation: 'convert' })
    const option = (name: string) => body.options.find((one) => one.name === name)
    const [strip, size, enlarge] = ['strip', 'pdf_page_size', 'enlarge_images_to_fit'].map(option)
    expect(strip).toMatchObject({ name: 'strip', data_type: 'boolean', type: 'boolean', default_value: 'true' })
    expect(size).toMatchObject({ name: 'pdf_page_size', data_type: 'string', type: 'enum', default_value: '' })
    const sizes = size?.enum_values?.map(({ value }) => value) ?? []
    expect(sizes.slice(0, 3)).toEqual(['same-as-image', '1240.2x1753.95', '1753.95x2480.25'])
    expect(enlarge).toMatchObject({ name: 'enlarge_images_to_fit', data_type: 'boolean', default_value: 'true' })
    expect(enlarge?.conditions).toMatchObject([{ name: 'pdf_page_size', required: true }])
    expect(enlarge?.conditions[0]?.meta.map(({ value }) => value)).toEqual(sizes)
  })

  it.each([
    ['convert', 'input_format=png&output_format=webp'],
    ['compress', 'input_format=jpg&output_format=jpg'],
    ['merge', 'input_format=jpg&output_format=gif'],
    ['crop', 'input_format=png'],
  ])('answers for %s without a key', async (operation, query) => {
    const { status, body } = await api.withKey(undefined).get<OptionSet>(`/v1/query/options/${operation}?${query}`)
    expect(status).toBe(200)
    expect(body.operation).toBe(operation)
    expect(body.options.length).toBeGreaterThan(0)
    for (const { type, data_type, enum_values, conditions } of body.options) {
      expect(type).toBe(enum_values ? 'enum' : data_type)
      expect(conditions).toBeInstanceOf(Array)
    }
  })

  it.each([
    ['convert', ''],
    ['convert', '?input_format=jpg'],
    ['convert', '?output_format=jpg'],
    ['convert', '?input_format=jpg&output_format=mp3'],
    ['compress', '?input_format=nope'],
    ['trim', '?input_format=docx'],
  ])('is refused for %s%s: a pair is missing or unsupported', async (operation, query) => {
    expect((await api.refused('GET', `/v1/query/options/${operation}${query}`)).status).toBe(400)
  })
})

describe('options', () => {
  it('change the output', async () => {
    const task = await convert('webp', { width: 100, rotate: '90', lossless: true })
    expect(await openOutput(await outputOf(api, task))).toMatchObject({ format: 'webp', width: 100 })
    expect(task.payload).toEqual({ output_format: 'webp', options: { width: 100, rotate: '90', lossless: true } })
  })

  it('make an A4 page of a photograph', async () => {
    const task = await convert('pdf', { pdf_page_size: '1240.2x1753.95', enlarge_images_to_fit: true })
    const { width, height } = await openOutput(await outputOf(api, task))
    // The values are pixels at 150 dpi: A4 is 595 x 842 points.
    expect(Math.round(width / 10)).toBe(60)
    expect(Math.round(height / 10)).toBe(84)
  })

  it('given as strings are converted to their types', async () => {
    const task = await convert('png', { width: '64', strip: 'false' })
    expect(await openOutput(await outputOf(api, task))).toMatchObject({ width: 64 })
  })

  it('strip everything but the image by default', async () => {
    const stripped = await sharp(await outputOf(api, await convert('webp', {}))).metadata()
    const kept = await sharp(await outputOf(api, await convert('webp', { strip: false }))).metadata()
    expect({ stripped: stripped.exif, kept: kept.exif instanceof Buffer }).toEqual({ stripped: undefined, kept: true })
  })

  it('whose required condition is unmet have no effect and are named in a warning [D-op-21]', async () => {
    const task = await convert('pdf', { enlarge_images_to_fit: false })
    expect(completed(task).result.warnings).toEqual([expect.stringContaining('enlarge_images_to_fit')])
  })

  it('that contradict a condition which is not required are refused', async () => {
    const { status, errors } = await refused('webp', { quality: 50, lossless: true })
    expect({ status, path: errors?.[0]?.path }).toEqual({ status: 400, path: 'options.quality' })
  })

  it.each([
    ['no input knows', { sparkle: true }, 'options.sparkle'],
    ['have the wrong type', { width: 'wide' }, 'options.width'],
    ['are out of range', { width: 0 }, 'options.width'],
    ['are not in their list', { fit: 'tight' }, 'options.fit'],
  ])('that %s are refused', async (_what, options, path) => {
    const { status, errors } = await refused('png', options)
    expect({ status, path: errors?.[0]?.path }).toEqual({ status: 400, path })
  })
})
