import { readFileSync } from 'node:fs'
import { amount } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { importTask, stack as shared } from '../scenario.ts'
import { accounts as stack } from './accounts.ts'
import { looks } from './dashboard-visit.ts'
import { createPerson, type Person, signIn } from './people.ts'
import { closeBrowser, startVisit, type Visit } from './visit.ts'

let admin: Person
let ids: Ids | undefined
beforeAll(async () => {
  admin = await createPerson(stack, 'admin@routes.example', { isAdmin: true })
})
afterAll(closeBrowser)

/** What has been filled in, so that pages show more than their empty states. */
interface Ids {
  readonly jobId: string
  readonly webhookId: string
}

/** Every route of the app, and how it is opened: by whoever is signed in, or by a stranger. */
const routes: Readonly<Record<string, { readonly isPublic?: true; path(ids: Ids): string }>> = {
  '/': { path: () => '/' },
  '/sign-in': { isPublic: true, path: () => '/sign-in' },
  '/setup': { isPublic: true, path: () => `/setup#${'x'.repeat(43)}` },
  '/join': { isPublic: true, path: () => `/join#${'x'.repeat(43)}` },
  '/share': { isPublic: true, path: () => `/share#${'0'.repeat(24)}.lathe_job_${'a'.repeat(44)}` },
  '/tools': { path: () => '/tools' },
  '/tools/$operation': { path: () => '/tools/watermark' },
  '/members': { path: () => '/members' },
  '/instance': { path: () => '/instance' },
  '/jobs': { path: () => '/jobs' },
  '/jobs/$jobId': { path: ({ jobId }) => `/jobs/${jobId}` },
  '/keys': { path: () => '/keys' },
  '/presets': { path: () => '/presets' },
  '/webhooks': { path: () => '/webhooks' },
  '/webhooks/$webhookId': { path: ({ webhookId }) => `/webhooks/${webhookId}` },
  '/security': { path: () => '/security' },
  '/audit': { path: () => '/audit' },
  '/settings': { path: () => '/settings' },
  '/device': { path: () => '/device' },
  '/usage': { path: () => '/usage' },
}

/** Fills the account of whoever is signed in. */
async function fill({ page }: Visit): Promise<Ids> {
  const asked = `fetch('/auth/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })`
  const { token } = (await page.evaluate(`${asked}.then((answer) => answer.json())`)) as { token: string }
  const api = createClient({ url: stack.url, key: token, recordFile: shared.recordFile })
  // So many that their list scrolls.
  const small = { operation: 'convert', input: 'photo', output_format: 'webp' }
  const copies = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`small-${n}`, small]))
  const { id: jobId } = await api.runJob({ photo: importTask('rotated-exif.jpg'), ...copies })
  const webhook = { url: 'https://example.com/hook', events: ['job.completed'] }
  const { body } = await api.post<{ id: string }>('/v1/webhooks', webhook)
  await api.post('/v1/presets', { name: 'small', operation: 'convert', output_format: 'webp' })
  await api.post('/v1/account/keys', { name: 'shop', scopes: ['task.read'] })
  return { jobId, webhookId: body.id }
}

/** What is wrong with a page as it is shown now. */
async function barriersOf(visit: Visit, name: string, path: string): Promise<readonly string[]> {
  await visit.open(path)
  await visit.page.getByRole('heading', { level: 1 }).waitFor()
  // Skeletons have gone when nothing is asked for any more; the stream of events is never idle.
  await visit.page.locator('.skeleton').first().waitFor({ state: 'detached' })
  const overflow = await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth')
  const wide = Number(overflow) > 0 ? [`wider than the window by ${overflow}`] : []
  return [...(await visit.barriers()), ...wide].map((fault) => `${name}: ${fault}`)
}

it('the table names every route of the app', () => {
  const source = readFileSync(new URL('../../../apps/web/src/app/router.tsx', import.meta.url), 'utf8')
  const paths = [...source.matchAll(/(?:path: |dashboardRoute\(\s*)'([^']+)'/g)].map(([, path]) => path)
  expect(paths.toSorted()).toEqual(Object.keys(routes).toSorted())
})

it.each(looks.slice(0, amount({ whole: looks.length, sample: 1 })))(
  'no route has barriers ($theme, $width px)',
  async (look) => {
    await using visit = await signIn(stack.url, admin, '/', look)
    await using stranger = await startVisit(stack.url, { ...look, tolerates: /40[14]/ })
    ids ??= await fill(visit)
    const found: string[] = []
    for (const [name, { path, isPublic }] of Object.entries(routes)) {
      found.push(...(await barriersOf(isPublic ? stranger : visit, name, path(ids))))
    }
    console.log(`${Object.keys(routes).length} routes, ${look.theme}, ${look.width} px: ${found.length} barriers`)
    expect(found).toEqual([])
  },
  300_000,
)
