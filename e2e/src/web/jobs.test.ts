import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { dataBody, importTask } from '../scenario.ts'
import { expectNoBarriers, hostileNames, looks, openDashboard } from './dashboard-visit.ts'
import { choose, fileOf } from './files.ts'
import { closeBrowser } from './visit.ts'

afterAll(closeBrowser)

const photoJob = {
  photo: importTask('photo-40k.jpg'),
  small: { operation: 'convert', input: 'photo', output_format: 'webp' },
}
const waiting = { photo: { operation: 'import/upload' } }
const brokenJob = {
  photo: { operation: 'import/base64', ...dataBody(Buffer.from('no image'), 'photo.jpg') },
  small: { operation: 'convert', input: 'photo', input_format: 'jpg', output_format: 'webp' },
}

const done = async (api: Client, tasks: object, tag: string) => {
  const { id } = await api.createJob(tasks as Record<string, unknown>, tag)
  return api.endedJob(id)
}

describe('the list of jobs', () => {
  it('says what to do while it is empty', async () => {
    await using visit = await openDashboard('/jobs')
    const { page } = visit
    await page.getByText('No jobs yet').waitFor()
    await page.getByRole('link', { name: 'Convert a file' }).click()
    await page.getByRole('heading', { name: 'Convert files' }).waitFor()
  })

  it('shows new jobs and how they go, without a reload, over one connection', async () => {
    await using visit = await openDashboard('/jobs')
    const { page, api } = visit
    await page.getByText('Live', { exact: true }).waitFor()
    const streams: string[] = []
    page.on('request', (request) => request.url().endsWith('/events') && streams.push(request.url()))
    const { id } = await api.createJob(photoJob, 'holiday')
    const row = page.getByRole('listitem').filter({ hasText: 'holiday' })
    await row.waitFor()
    await row.getByText('Completed').waitFor()
    await row.getByText('convert → WEBP').waitFor()
    expect(await row.textContent()).toContain(id)
    expect(streams).toEqual([])
  })

  it('names the jobs of the converter after their files, which are only text', async () => {
    await using visit = await openDashboard('/')
    const { page } = visit
    const [hostile] = hostileNames
    await choose(visit, fileOf('photo-40k.jpg', 'holiday.jpg'), fileOf('alpha.png', `${hostile}.png`))
    await page.getByRole('button', { name: 'Convert 2 files' }).click()
    await page.getByText('2 of 2 done').waitFor()
    await page.getByRole('button', { name: 'Remove holiday.jpg from the list' }).click()
    await page.getByRole('button', { name: /again with other options$/ }).click()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await visit.open('/jobs')
    const links = page.getByRole('list', { name: 'Jobs' }).getByRole('link')
    await expect.poll(() => links.allTextContents()).toEqual([`${hostile}.png → webp`, 'holiday.jpg and 1 more → webp'])
  })

  it('is narrowed by status, tag and time, which are in the address', async () => {
    await using visit = await openDashboard('/jobs', {}, async (api) => {
      await done(api, photoJob, 'good one')
      await api.createJob(waiting, 'open one')
    })
    const { page } = visit
    const rows = page.getByRole('list', { name: 'Jobs' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Status').selectOption('completed')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByLabel('Created').selectOption('1h')
    await page.getByLabel('Tag').fill('open one')
    await page.getByLabel('Tag').press('Enter')
    await page.getByText('No job matches').waitFor()
    expect(new URL(page.url()).search).toBe('?status=completed&tag=open+one&span=1h')
    await page.reload()
    await page.getByText('No job matches').waitFor()
    expect(await page.getByLabel('Tag').inputValue()).toBe('open one')
    await page.getByRole('button', { name: 'Reset filters' }).click()
    await expect.poll(() => rows.count()).toBe(2)
  })

  it('is read in pages, back and forth', async () => {
    await using visit = await openDashboard('/jobs', {}, async (api) => {
      for (let n = 0; n < 13; n += 1) await api.createJob(waiting, `job ${n}`)
    })
    const { page } = visit
    await page.getByText('1 to 10 of 13').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('11 to 13 of 13').waitFor()
    await page.getByText('job 0', { exact: true }).waitFor()
    await page.goBack()
    await page.getByText('1 to 10 of 13').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByText('job 12', { exact: true }).waitFor()
  })

  it('says what went wrong, and tries again when asked', async () => {
    await using visit = await openDashboard('/', { tolerates: /50\d/ }, (api) => api.createJob(waiting, 'kept'))
    const { page } = visit
    const body = { errorCode: 'internal', msg: 'The database is away.' }
    // Without events nothing but the button asks again.
    await page.route('**/v1/process/events', (route) => route.fulfill({ status: 503, json: body }))
    await page.route('**/v1/process/jobs?*', (route) => route.fulfill({ status: 500, json: body }))
    await visit.open('/jobs')
    await page.getByText('The database is away.').waitFor()
    await page.unroute('**/v1/process/jobs?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('kept').waitFor()
  })

  it('shows hostile tags as text', async () => {
    await using visit = await openDashboard('/jobs', {}, async (api) => {
      for (const tag of hostileNames) await api.createJob(waiting, tag)
    })
    const { page } = visit
    for (const tag of hostileNames) await page.getByRole('link', { name: tag, exact: true }).waitFor()
    await expectNoBarriers(visit)
  })
})

describe('the page of a job', () => {
  it('shows graph, times, payload, results and code, and is used by keyboard alone', async () => {
    await using visit = await openDashboard('/jobs', {}, (api) => done(api, photoJob, 'holiday'))
    const { page } = visit
    await page.getByRole('link', { name: 'holiday' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'holiday' }).waitFor()
    const graph = page.getByRole('region', { name: 'Task graph' })
    await graph.getByRole('button', { name: /small.*Completed.*convert → WEBP.*after photo/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('"output_format": "webp"').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download photo-40k.webp' }).press('Enter'),
    ])
    expect(download.suggestedFilename()).toBe('photo-40k.webp')
    await page
      .getByText(/queued .* · .* sec/)
      .first()
      .waitFor()
    await page
      .getByText(/Queue .* · Fetch .* · Engine .* · Store .* sec/)
      .last()
      .waitFor()
    await page.getByText('lathe.jobs.create({').waitFor()
    await expectNoBarriers(visit)
  })

  it('shows previews of files, and none of expired ones', async () => {
    await using visit = await openDashboard('/', {}, async () => undefined)
    const { page, api } = visit
    const { id } = await done(api, photoJob, 'with previews')
    await visit.open(`/jobs/${id}`)
    const results = page.locator('li[id^=task-]').filter({ hasText: 'photo-40k.webp' })
    await results.locator('summary').click()
    await results.getByRole('link', { name: 'Download photo-40k.webp' }).scrollIntoViewIfNeeded()
    await results.locator('[data-preview=shown] img').waitFor()
    await page.route(`**/v1/process/jobs/${id}*`, async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll(/"url":"[^"]*\/files\/[^"]*",?/g, '')
      await route.fulfill({ response, body: text })
    })
    await page.reload()
    await results.locator('summary').click()
    await results.getByText('Expired').waitFor()
    expect(await page.locator('[data-preview]').count()).toBe(0)
  })

  it('copies the job as curl, which makes the same job', async () => {
    await using visit = await openDashboard('/', {}, async () => undefined)
    const { page, api, context } = visit
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { id } = await api.createJob({ file: { operation: 'import/upload' } }, `it's "quoted"`)
    await visit.open(`/jobs/${id}`)
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied').waitFor()
    const text = (await page.evaluate('navigator.clipboard.readText()')) as string
    expect(text).toContain('/v1/process/jobs \\\n  -H "Authorization: Bearer $LATHE_KEY"')
    expect(text).toContain(`"tag": "it'\\''s \\"quoted\\""`)
    await page.getByRole('button', { name: 'Copy as TypeScript' }).click()
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toContain("await job.upload('file', 'path/to/file')")
  })

  it('says in plain words why a job failed, and continues by itself when it runs again', async () => {
    await using visit = await openDashboard('/', {}, async () => undefined)
    const { page, api } = visit
    const { id } = await done(api, brokenJob, 'broken')
    await visit.open(`/jobs/${id}`)
    await page.getByText(/^small: This file cannot be converted this way/).waitFor()
    expect(await page.locator('details[open]').count()).toBe(1)
    await expectNoBarriers(visit)
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.waitForURL((url) => url.pathname !== `/jobs/${id}`)
    await page.getByText(/^small: This file cannot be converted this way/).waitFor()
  })

  it('follows a running job and cancels it after a question', async () => {
    await using visit = await openDashboard('/', {}, async () => undefined)
    const { page, api } = visit
    const tasks = { ...waiting, small: { operation: 'convert', input: 'photo', output_format: 'webp' } }
    const { id } = await api.createJob(tasks, 'open')
    await visit.open(`/jobs/${id}`)
    await page.getByRole('button', { name: 'Cancel job' }).click()
    await page.getByText('Stop all open tasks?').waitFor()
    await page.getByRole('button', { name: 'Cancel job' }).click()
    await expect.poll(() => page.getByText('Canceled').count()).toBeGreaterThanOrEqual(2)
    const statuses = async () => (await api.job(id)).tasks?.map(({ status }) => status)
    await expect.poll(statuses).toEqual(['canceled', 'canceled'])
    await expect.poll(() => page.getByRole('button', { name: 'Cancel job' }).count()).toBe(0)
  })

  it('deletes a job after a question, and shows the receipt, also after a reload', async () => {
    await using visit = await openDashboard('/', { tolerates: /404/ }, async () => undefined)
    const { page, api } = visit
    const job = await done(api, photoJob, 'private')
    const hashes = job.tasks?.flatMap(({ result }) => result.files?.map(({ sha256 }) => sha256) ?? []) ?? []
    expect(hashes).toHaveLength(2)
    await visit.open(`/jobs/${job.id}`)
    await page.getByRole('button', { name: 'Delete job' }).click()
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByRole('button', { name: 'Delete job' }).click()
    await page.getByRole('button', { name: 'Delete job' }).click()
    for (const hash of hashes) await page.getByText(hash).waitFor()
    await page.reload()
    await page.getByText('Deletion receipt').first().waitFor()
    expect(await page.getByText('private').count()).toBe(0)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as JSON' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`receipt-${job.id}.json`)
    await expectNoBarriers(visit)
  })

  it('says that a job is not there', async () => {
    await using visit = await openDashboard(`/jobs/${'0'.repeat(24)}`, { tolerates: /404/ })
    await visit.page.getByText('This job does not exist').waitFor()
    await visit.page.getByRole('link', { name: 'All jobs' }).click()
    await visit.page.getByText('No jobs yet').waitFor()
  })
})

describe.each(looks)('jobs have no barriers ($theme, $width px)', (look) => {
  it('in the list', async () => {
    await using visit = await openDashboard('/jobs', look, (api) => api.createJob(waiting, 'one'))
    await visit.page.getByText('one', { exact: true }).waitFor()
    await visit.page.getByText('Live', { exact: true }).waitFor()
    await expectNoBarriers(visit)
  })

  it('on the page of one', async () => {
    await using visit = await openDashboard('/', look)
    const { id } = await done(visit.api, photoJob, 'one')
    await visit.open(`/jobs/${id}`)
    await visit.page.locator('summary').last().click()
    await visit.page.getByRole('link', { name: /^Download/ }).waitFor()
    await expectNoBarriers(visit)
  })
})
