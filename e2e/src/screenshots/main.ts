/**
 * `npm run screenshots`: the pages in light, dark, on a phone and right to left, as PNG files in .lathe/screenshots.
 *
 *   --only=done,sign-in     these only
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startStack } from '@lathe/testing'
import { closeBrowser, startVisit, type VisitOptions } from '../web/visit.ts'
import { type Call, dashboardScenes } from './dashboard-scenes.ts'
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

const scopes = [
  ...(['task.read', 'task.write', 'webhook.read', 'webhook.write'] as const),
  ...(['account.read', 'account.write'] as const),
]

const callerOf =
  (url: string, key: string): Call =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as never
  }

let failed = 0
{
  await using stack = await startStack()
  for (const [name, play] of Object.entries({ ...scenes, ...dashboardScenes })) {
    if (only && !only.includes(name)) continue
    for (const [look, options] of Object.entries(looks)) {
      const { key } = await stack.createKey({ slots: 8, scopes })
      const visit = await startVisit(stack.url, { ...options, ...(name.startsWith('sign-in') ? {} : { key }) })
      try {
        await play(visit, callerOf(stack.url, key))
        await visit.page.waitForTimeout(300)
        const fullPage = name in dashboardScenes
        await visit.page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage })
        await visit[Symbol.asyncDispose]()
        console.log(`${name}-${look}.png`)
      } catch (error) {
        failed += 1
        console.log(`FAILED ${name}-${look}: ${error instanceof Error ? error.message : error}`)
        await visit.context.close()
      }
    }
  }
  await closeBrowser()
}
console.log(`${folder}: ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
