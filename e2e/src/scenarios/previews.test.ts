import type { Job, JobTokenWithText, Page, Task } from '@lathe/contract'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { importFixture, importTask, newClient } from '../scenario.ts'

const patient = { prefer: 'wait=60' }
const pathOf = (task: Task | undefined, file = 0, page = 1) =>
  `/v1/process/tasks/${task?.id}/files/${file}/preview?page=${page}`

describe('a preview', () => {
  it.each([
    ['photo-100k.jpg', 'webp'],
    ['two-pages.pdf', 'webp'],
    ['letter.docx', 'jpeg'],
    ['clip.mp4', 'jpeg'],
    ['tone.flac', 'jpeg'],
  ] as const)('of %s is a %s of at most 512 pixels [D-http-79]', async (name, expected) => {
    const api = await newClient()
    const task = await importFixture(api, name)
    const { status, headers, bytes } = await api.get(pathOf(task), patient)
    expect([status, headers.get('content-type')]).toEqual([200, `image/${expected}`])
    const { format, width = 0, height = 0 } = await sharp(bytes).metadata()
    expect([format, Math.max(width, height)]).toEqual([expected, 512])
  })

  it('shows the requested page of the requested file, and is made once [D-http-79]', async () => {
    const api = await newClient()
    const tasks = {
      first: importTask('photo-40k.jpg'),
      second: importTask('two-pages.pdf'),
      pages: { operation: 'split', input: 'second' },
    }
    const job = await api.runJob(tasks)
    const [, document, pages] = job.tasks ?? []
    const made = await Promise.all([
      api.get(pathOf(document, 0, 1), patient),
      api.get(pathOf(document, 0, 2), patient),
      api.get(pathOf(pages, 1), patient),
      api.get(pathOf(pages, 1), patient),
    ])
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [one, two, ofPage, again] = made.map(({ bytes }) => bytes)
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(false)
    expect(ofPage?.equals(again ?? Buffer.alloc(0))).toBe(true)
    // The second page of the document, and the document that holds this page alone, look the same.
    const pixels = (bytes: Buffer | undefined) =>
      sharp(bytes).resize(64, 64, { fit: 'fill' }).greyscale().raw().toBuffer()
    const [a, b] = [await pixels(two), await pixels(ofPage)]
    expect(Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? 0))))).toBeLessThan(16)
    expect((await api.get<Page<Task>>('/v1/process/tasks')).body.totalDocs).toBe(3)
  })

  it('is answered with 202 while it is made', async () => {
    const api = await newClient()
    const task = await importFixture(api, 'letter.docx')
    expect((await api.get(pathOf(task), { prefer: 'wait=0' })).status).toBe(202)
    expect((await api.get(pathOf(task), patient)).status).toBe(200)
  })

  it('is accessible with a token of the job, and deleted with the job [D-http-83]', async () => {
    const api = await newClient()
    const job = await api.runJob({ photo: importTask('photo-40k.jpg') })
    const made = await api.post<JobTokenWithText>(`/v1/process/jobs/${job.id}/tokens`)
    const friend = api.withKey(made.body.token ?? '')
    const seen = (await friend.get<Job>(`/v1/process/jobs/${job.id}`)).body
    expect((await friend.get(pathOf(seen.tasks?.[0]), patient)).status).toBe(200)
    await api.remove(`/v1/process/jobs/${job.id}`)
    expect((await friend.refused('GET', pathOf(job.tasks?.[0]))).errorCode).toBe('not_found')
  })

  it('does not exist for formats without thumbnails, or for missing pages [D-http-80]', async () => {
    const api = await newClient()
    const archive = await importFixture(api, 'photo-40k.jpg')
    const packed = await api.run('archive', { input: archive.id, output_format: 'zip' })
    expect(await api.refused('GET', pathOf(packed))).toMatchObject({
      errorCode: 'no_preview',
      msg: expect.stringContaining('There is no preview of a ZIP archive (zip).'),
    })
    const document = await importFixture(api, 'two-pages.pdf')
    expect(await api.refused('GET', pathOf(document, 0, 3), { headers: patient })).toMatchObject({
      errorCode: 'no_preview',
      msg: expect.stringContaining('2 pages'),
    })
  })
})
