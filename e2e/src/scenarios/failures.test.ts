import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, dataBody, fixture, importFixture, importTask, newClient } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

const photo = fixture('photo-100k.jpg')
const damaged = { operation: 'import/base64', ...dataBody(photo.subarray(0, 300), 'cut.jpg') }

describe('a damaged input', () => {
  it('fails its conversion with input_damaged and says what to do [D-state-05]', async () => {
    const source = await api.run('import/base64', dataBody(photo.subarray(0, 300), 'cut.jpg'))
    const task = await api.run('convert', { input: source.id, output_format: 'png' })
    expect(task).toMatchObject({
      status: 'failed',
      result: { errorCode: 'processing_failed', reason: 'input_damaged', msg: expect.stringMatching(/\w/) },
    })
    expect(task.result.url).toBeUndefined()
    expect(task.endedAt).not.toBeNull()
  })

  it('that is truncated is converted as far as it goes with a warning, or fails with strict', async () => {
    const source = await api.run('import/base64', dataBody(photo.subarray(0, photo.length / 2), 'half.jpg'))
    const asked = { input: source.id, output_format: 'png' }
    expect(await api.run('convert', asked)).toMatchObject({
      status: 'completed',
      result: { warnings: [expect.stringContaining('strict')] },
    })
    const strictly = await api.run('convert', { ...asked, options: { strict: true } })
    expect(strictly).toMatchObject({ status: 'failed', result: { reason: 'input_damaged' } })
  })

  it('S1: ends at once when its engine writes text that PostgreSQL cannot store', async () => {
    const program = '%!PS\n(%stderr) (w) file dup (A\\000B) writestring flushfile\nundefinedthing\n'
    const source = await api.run('import/base64', dataBody(Buffer.from(program), 'x.ps'))
    const asked = { input: source.id, output_format: 'pdf' }
    const tolerant = await api.run('convert', asked)
    expect(tolerant).toMatchObject({ status: 'completed', result: { warnings: [expect.stringContaining('damaged')] } })
    const strict = await api.run('convert', { ...asked, options: { strict: true } })
    expect(strict).toMatchObject({ status: 'failed', result: { reason: 'input_damaged' } })
    for (const { startedAt, endedAt } of [tolerant, strict]) {
      expect(Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '')).toBeLessThan(20_000)
    }
  })

  it('fails its job with task_failed, and every task that depends on it', async () => {
    const job = await api.runJob({
      cut: damaged,
      png: { operation: 'convert', input: 'cut', output_format: 'png' },
      link: { operation: 'export/url', input: ['png'] },
    })
    expect(job).toMatchObject({ status: 'failed', result: { errorCode: 'task_failed' } })
    const link = await api.endedTask(job.tasks?.at(-1)?.id ?? '')
    expect(link).toMatchObject({ status: 'failed', result: { errorCode: 'processing_failed', reason: 'input_failed' } })
  })

  it('lets branches of its job that do not depend on it continue [D-state-15]', async () => {
    const job = await api.createJob({
      cut: damaged,
      bad: { operation: 'convert', input: 'cut', output_format: 'png' },
      whole: importTask('photo-100k.jpg'),
      good: { operation: 'convert', input: 'whole', output_format: 'webp' },
      link: { operation: 'export/url', input: ['good'] },
    })
    const ended = await api.endedJob(job.id)
    expect(ended.status).toBe('failed')
    const link = completed(await api.endedTask(job.tasks?.at(-1)?.id ?? ''))
    expect((await api.download(link.result.url)).length).toBeGreaterThan(1000)
    expect((await api.job(job.id)).status).toBe('failed')
  })

  it('of text instead of an image fails as well', async () => {
    const source = await api.run('import/base64', dataBody(Buffer.from('just words'), 'words.jpg'))
    expect((await api.run('convert', { input: source.id, output_format: 'png' })).status).toBe('failed')
  })
})

describe('an input that has failed', () => {
  it('is accepted as input, and the new task fails', async () => {
    const canceled = await api.create('import/upload')
    await api.post(`/v1/process/tasks/${canceled.id}/cancel`)
    const task = await api.run('convert', { input: canceled.id, output_format: 'png' })
    expect(task).toMatchObject({
      status: 'failed',
      result: { errorCode: 'processing_failed', reason: 'input_canceled' },
    })
  })
})

describe('several files from one input', () => {
  it('are each processed [D-op-14]', async () => {
    const [one, two] = [await importFixture(api, 'photo-40k.jpg'), await importFixture(api, 'alpha.png')]
    const task = completed(await api.run('convert', { input: [one.id, two.id], output_format: 'webp' }))
    expect(task.result.files?.map(({ filename }) => filename)).toEqual(['photo-40k.webp', 'alpha.webp'])
    const sizes = await Promise.all((task.result.files ?? []).map(async ({ url }) => (await api.download(url)).length))
    expect(new Set(sizes).size).toBe(2)
  })

  it('are numbered when one name is given [D-op-15]', async () => {
    const [one, two] = [await importFixture(api, 'photo-40k.jpg'), await importFixture(api, 'alpha.png')]
    const both = await api.run('convert', { input: [one.id, two.id], output_format: 'webp', filename: 'page.webp' })
    expect(completed(both).result.files?.map(({ filename }) => filename)).toEqual(['page-1.webp', 'page-2.webp'])
    expect(both.result.url).toContain('/archive/page.zip')
  })
})
