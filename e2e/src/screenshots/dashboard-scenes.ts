import { readFileSync } from 'node:fs'
import { fixturePath } from '../../../fixtures/fixtures.ts'
import type { Visit } from '../web/visit.ts'

type Scene = (visit: Visit, call: Call) => Promise<void>

/** Calls the API as the account in the browser. */
export type Call = <T>(method: string, path: string, body?: object) => Promise<T>

const photo = `data:image/jpeg;base64,${readFileSync(fixturePath('photo-100k.jpg')).toString('base64')}`

const album = {
  photo: { operation: 'import/base64', file: photo, filename: 'IMG_20260812_sunset.jpg' },
  modern: { operation: 'convert', input: 'photo', output_format: 'webp', options: { width: 1200 } },
  old: { operation: 'convert', input: 'photo', output_format: 'png' },
  links: { operation: 'export/url', input: ['modern', 'old'] },
}
const upload = { file: { operation: 'import/upload' } }
const broken = {
  photo: { operation: 'import/base64', file: 'data:;base64,bm9uZQ==', filename: 'a.jpg' },
  small: { operation: 'convert', input: 'photo', input_format: 'jpg', output_format: 'webp' },
}

const create = (call: Call, tasks: object, tag?: string) =>
  call<{ id: string }>('POST', '/v1/process/jobs', { tasks, ...(tag && { tag }) })

async function fill(call: Call): Promise<void> {
  await create(call, album, 'holiday-album')
  await create(call, upload, 'nightly-reports')
  await create(call, broken, 'scans <2026> with a tag that is much longer than any column of the list can ever be')
  await create(call, album)
}

/** The pages of the dashboard, each with its own account. */
export const dashboardScenes: Readonly<Record<string, Scene>> = {
  'jobs-empty': async (visit) => {
    await visit.open('/jobs')
    await visit.page.locator('h2').waitFor()
  },
  jobs: async (visit, call) => {
    await fill(call)
    await visit.page.waitForTimeout(4000)
    await visit.open('/jobs')
    await visit.page.locator('main li').nth(3).waitFor()
  },
  job: async (visit, call) => {
    const { id } = await create(call, album, 'holiday-album')
    await visit.page.waitForTimeout(4000)
    await visit.open(`/jobs/${id}`)
    await visit.page.locator('summary').nth(1).click()
  },
  'presets-empty': async (visit) => {
    await visit.open('/presets')
    await visit.page.locator('main h2').waitFor()
  },
  presets: async (visit, call) => {
    const make = (name: string, more: object) => call('POST', '/v1/presets', { name, operation: 'convert', ...more })
    await make('Small for the web', { output_format: 'webp', options: { quality: 60, width: 1200 } })
    await make('Archive', { output_format: 'pdf', personal: true })
    await make(`Letters ${'of a very long name '.repeat(4)}`, { output_format: 'png', options: { dpi: 300 } })
    await visit.open('/presets')
    await visit.page.locator('main li').nth(2).waitFor()
  },
  palette: async (visit, call) => {
    await fill(call)
    await visit.open('/usage')
    await visit.page.locator('h1').waitFor()
    await visit.page.keyboard.press('Control+k')
    await visit.page.locator('[role=option]').nth(12).waitFor()
  },
  webhooks: async (visit, call) => {
    await call('POST', '/v1/webhooks', { url: 'https://shop.example/hooks/lathe', description: 'The shop' })
    await call('POST', '/v1/webhooks', { url: `https://long.example/${'path/'.repeat(40)}`, events: ['job.failed'] })
    await visit.open('/webhooks')
    await visit.page.locator('main li').nth(1).waitFor()
  },
  webhook: async (visit, call) => {
    const { id } = await call<{ id: string }>('POST', '/v1/webhooks', { url: 'http://127.0.0.1:49151/hooks' })
    await visit.open(`/webhooks/${id}`)
    await visit.page.locator('main .bg-accent').click()
    await visit.page.locator('summary').click()
  },
  audit: async (visit, call) => {
    await call('POST', '/v1/account/keys', { name: 'Nightly reports', scopes: ['task.read'] })
    await call('POST', '/v1/webhooks', { url: 'https://shop.example/hooks/lathe' })
    await visit.open('/audit')
    await visit.page.locator('main li').nth(1).waitFor()
  },
  settings: async (visit) => {
    await visit.open('/settings')
    await visit.page.locator('select').nth(1).waitFor()
  },
  tools: async (visit) => {
    await visit.open('/tools')
    await visit.page.locator('main a').nth(5).waitFor()
  },
  'tools-watermark': async (visit) => {
    await visit.open('/tools/watermark')
    await visit.page.locator('main form').waitFor()
    await visit.page.waitForTimeout(500)
  },
  'job-failed': async (visit, call) => {
    const { id } = await create(call, broken, 'scans')
    await visit.page.waitForTimeout(3000)
    await visit.open(`/jobs/${id}`)
    await visit.page.locator('[role=alert]').first().waitFor()
  },
}
