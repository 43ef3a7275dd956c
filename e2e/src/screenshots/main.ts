/**
 * `npm run screenshots`: the pages in light, dark, on a phone and right to left, as PNG files in .lathe/screenshots.
 *
 *   --only=done,sign-in     these only
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Lathe } from '@lathe/sdk'
import { startStack } from '@lathe/testing'
import { closeBrowser, startVisit, type Visit, type VisitOptions } from '../web/visit.ts'
import { accountScenes, fillInstance } from './account-scenes.ts'
import { type Account, dashboardScenes } from './dashboard-scenes.ts'
import { scenes } from './scenes.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const only = values.only?.split(',')
const folder = new URL('../../../.lathe/screenshots/', import.meta.url).pathname
await mkdir(folder, { recursive: true })

const looks: Readonly<Record<string, VisitOptions>> = {
  light: {},
  dark: { theme: 'dark' },
  phone: { width: 390, height: 844 },
  rtl: { language: 'ar' },
}

interface TakeOptions {
  /** Creates the account of the browser; without it, nobody is signed in. */
  createKey?(): Promise<string>
  readonly fullPage?: boolean
}

const scopes = [
  ...(['task.read', 'task.write', 'webhook.read', 'webhook.write'] as const),
  ...(['account.read', 'account.write'] as const),
]

const accountOf = (url: string, key: string): Account => ({
  lathe: new Lathe({ baseUrl: url, key, retries: 0 }),
  async post(path, body) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { id: string }
  },
})

let failed = 0

/** Takes a scene in every look. */
async function take(name: string, url: string, play: (visit: Visit) => Promise<void>, own: TakeOptions = {}) {
  if (only && !only.includes(name)) return
  for (const [look, options] of Object.entries(looks)) {
    const key = await own.createKey?.()
    const visit = await startVisit(url, { ...options, ...(key && { key }) })
    try {
      await play(visit)
      await visit.page.waitForTimeout(300)
      await visit.page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: own.fullPage ?? false })
      await visit[Symbol.asyncDispose]()
      console.log(`${name}-${look}.png`)
    } catch (error) {
      failed += 1
      console.log(`FAILED ${name}-${look}: ${error instanceof Error ? error.message : error}`)
      await visit.context.close()
    }
  }
}

const isWanted = (names: object) => !only || Object.keys(names).some((name) => only.includes(name))

if (isWanted({ ...scenes, ...dashboardScenes })) {
  await using stack = await startStack()
  const createKey = async () => (await stack.createKey({ slots: 8, scopes })).key
  for (const [name, play] of Object.entries(scenes)) {
    await take(name, stack.url, play, name.startsWith('sign-in') ? {} : { createKey })
  }
  for (const [name, play] of Object.entries(dashboardScenes)) {
    let key = ''
    const keep = async () => {
      key = await createKey()
      return key
    }
    const withAccount = (visit: Visit) => play(visit, accountOf(stack.url, key))
    await take(name, stack.url, withAccount, { createKey: keep, fullPage: true })
  }
}
if (isWanted(accountScenes)) {
  const env = { ACCOUNTS_MODE: 'accounts' }
  await using used = await startStack({ schedulers: 0, env })
  await using unused = await startStack({ workers: 0, schedulers: 0, env })
  const admin = await fillInstance(used)
  for (const [name, { at, play }] of Object.entries(accountScenes)) {
    const { url } = at === 'unused' ? unused : used
    await take(name, url, (visit) => play(visit, { used, unused, admin }), { fullPage: true })
  }
}
await closeBrowser()
console.log(`${folder}: ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
