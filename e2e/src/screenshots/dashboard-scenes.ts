import { readFileSync } from 'node:fs'
import type { Lathe, NewJob } from '@lathe/sdk'
import { fixturePath } from '../../../fixtures/fixtures.ts'
import type { Visit } from '../web/visit.ts'

type Scene = (visit: Visit, account: Account) => Promise<void>

/** The API as the account in the browser. */
export interface Account {
  readonly lathe: Lathe
  /** Creates what the SDK cannot create: presets, webhooks and keys. */
  post(path: string, body: object): Promise<{ readonly id: string }>
}

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

const create = ({ lathe }: Account, tasks: object, tag?: string) =>
  lathe.jobs.create({ tasks: tasks as NewJob<string>['tasks'], ...(tag && { tag }) })

async function fill(account: Account): Promise<void> {
  await create(account, album, 'holiday-album')
  await create(account, upload, 'nightly-reports')
  await create(account, broken, 'scans <2026> with a tag that is much longer than any column of the list can ever be')
  await create(account, album)
}

/** The pages of the dashboard, each with its own account. */
export const dashboardScenes: Readonly<Record<string, Scene>> = {
  'jobs-empty': async (visit) => {
    await visit.open('/jobs')
    await visit.page.locator('h2').waitFor()
  },
  jobs: async (visit, account) => {
    await fill(account)
    await visit.page.waitForTimeout(4000)
    await visit.open('/jobs')
    await visit.page.locator('main li').nth(3).waitFor()
  },
  job: async (visit, account) => {
    const { id } = await create(account, album, 'holiday-album')
    await visit.page.waitForTimeout(4000)
    await visit.open(`/jobs/${id}`)
    await visit.page.locator('summary').nth(1).click()
  },
  'presets-empty': async (visit) => {
    await visit.open('/presets')
    await visit.page.locator('main h2').waitFor()
  },
  presets: async (visit, account) => {
    const make = (name: string, more: object) => account.post('/v1/presets', { name, operation: 'convert', ...more })
    await make('Small for the web', { output_format: 'webp', options: { quality: 60, width: 1200 } })
    await make('Archive', { output_format: 'pdf', personal: true })
    await make(`Letters ${'of a very long name '.repeat(4)}`, { output_format: 'png', options: { dpi: 300 } })
    await visit.open('/presets')
    await visit.page.locator('main li').nth(2).waitFor()
  },
  palette: async (visit, account) => {
    await fill(account)
    await visit.open('/usage')
    await visit.page.locator('h1').waitFor()
    await visit.page.keyboard.press('Control+k')
    await visit.page.locator('[role=option]').nth(12).waitFor()
  },
  webhooks: async (visit, account) => {
    await account.post('/v1/webhooks', { url: 'https://shop.example/hooks/lathe', description: 'The shop' })
    await account.post('/v1/webhooks', { url: `https://long.example/${'path/'.repeat(40)}`, events: ['job.failed'] })
    await visit.open('/webhooks')
    await visit.page.locator('main li').nth(1).waitFor()
  },
  webhook: async (visit, account) => {
    const { id } = await account.post('/v1/webhooks', { url: 'http://127.0.0.1:49151/hooks' })
    await visit.open(`/webhooks/${id}`)
    await visit.page.locator('main .bg-accent').click()
    await visit.page.locator('summary').click()
  },
  audit: async (visit, account) => {
    await account.post('/v1/account/keys', { name: 'Nightly reports', scopes: ['task.read'] })
    await account.post('/v1/webhooks', { url: 'https://shop.example/hooks/lathe' })
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
  'job-failed': async (visit, account) => {
    const { id } = await create(account, broken, 'scans')
    await visit.page.waitForTimeout(3000)
    await visit.open(`/jobs/${id}`)
    await visit.page.locator('[role=alert]').first().waitFor()
  },
}
