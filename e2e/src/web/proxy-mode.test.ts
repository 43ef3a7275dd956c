import { readFile } from 'node:fs/promises'
import { type SignInProxy, type Stack, startSignInProxy, startStack } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoBarriers } from './dashboard-visit.ts'
import { choose, fileOf } from './files.ts'
import { closeBrowser, startVisit, type Visit } from './visit.ts'

const photo = fileOf('photo-40k.jpg', 'holiday.jpg')
const address = '127.0.0.2'

let proxy: SignInProxy
let stack: Stack
beforeAll(async () => {
  proxy = await startSignInProxy({ address, header: 'Remote-User' })
  const named = { ACCOUNTS_MODE: 'proxy', ACCOUNTS_PROXIES: address, ACCOUNTS_PROXY_ADMINS: 'root' }
  stack = await startStack({ schedulers: 0, appEnv: { api: { ...named, LATHE_PUBLIC_URL: proxy.url } } })
  proxy.pointTo(stack.url)
})
afterAll(async () => {
  await closeBrowser()
  await proxy[Symbol.asyncDispose]()
  await stack[Symbol.asyncDispose]()
})

/** A browser behind the proxy, which has signed a user in. */
async function visitAs(user: string | undefined, tolerates?: RegExp): Promise<Visit> {
  proxy.signIn(user)
  return startVisit(proxy.url, tolerates ? { tolerates } : {})
}

const titleOf = ({ page }: Visit, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

describe('behind a proxy that signs in', () => {
  it('users convert without signing in here, and sign out there', async () => {
    await using visit = await visitAs('Ada')
    const { page } = visit
    await visit.open('/')
    await page.getByText('Ada', { exact: true }).waitFor()
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    const link = page.getByRole('link', { name: 'Download', exact: true })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect((await readFile(await download.path())).subarray(8, 12).toString()).toBe('WEBP')
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    await expectNoBarriers(visit)
  })

  it('each user has their own jobs, and a browser that changes hands shows those of the new one', async () => {
    await using visit = await visitAs('Grace')
    const { page } = visit
    await visit.open('/')
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await visit.open('/jobs')
    await page.getByRole('link', { name: 'holiday.jpg → webp' }).waitFor()
    proxy.signIn('Barbara')
    await visit.open('/jobs')
    await page.getByText('Barbara', { exact: true }).waitFor()
    await page.getByText('No jobs yet').waitFor()
    proxy.signIn('Grace')
    await visit.open('/jobs')
    await page.getByRole('link', { name: 'holiday.jpg → webp' }).waitFor()
  })

  it('the header of a client counts neither through the proxy nor next to it', async () => {
    await using visit = await visitAs('Ada')
    await visit.context.setExtraHTTPHeaders({ 'remote-user': 'root' })
    await visit.open('/')
    await visit.page.getByText('Ada', { exact: true }).waitFor()
    expect(await visit.page.getByText('root', { exact: true }).count()).toBe(0)

    await using direct = await startVisit(stack.url)
    await direct.context.setExtraHTTPHeaders({ 'remote-user': 'root' })
    await direct.open('/instance')
    await titleOf(direct, 'You are not signed in')
    await expectNoBarriers(direct)
  })

  it('only users whom the settings name manage the instance', async () => {
    await using root = await visitAs('root')
    await root.open('/instance')
    await titleOf(root, 'Instance')
    await root.page.getByText('Workers', { exact: true }).first().waitFor()

    proxy.signIn('Ada')
    await using ada = await startVisit(proxy.url)
    await ada.open('/jobs')
    await titleOf(ada, 'Jobs')
    await ada.page.getByText('Ada', { exact: true }).waitFor()
    expect(await ada.page.getByRole('link', { name: 'Instance' }).count()).toBe(0)
  })

  it('a user whom the proxy signs out sees where to sign in', async () => {
    await using visit = await visitAs('Ada')
    await visit.open('/jobs')
    await titleOf(visit, 'Jobs')
    proxy.signIn(undefined)
    await visit.open('/jobs')
    await titleOf(visit, 'You are not signed in')
    await visit.page.getByText('A reverse proxy signs you in').waitFor()
  })
})
