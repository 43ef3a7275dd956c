import { expect } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { newKey, stack } from '../scenario.ts'
import { startVisit, type Visit, type VisitOptions } from './visit.ts'

/** All scopes of a key. */
const scopes = [
  ...(['task.read', 'task.write', 'webhook.read', 'webhook.write'] as const),
  ...(['account.read', 'account.write'] as const),
]

/** A browser on a page of the dashboard, and a client of the same account. */
export interface DashboardVisit extends Visit {
  readonly api: Client
}

/** Opens a page of the dashboard for a new account; `prepare` may fill it first. */
export async function openDashboard(
  path: string,
  options: VisitOptions = {},
  prepare: (api: Client) => Promise<unknown> = async () => undefined,
): Promise<DashboardVisit> {
  const { key } = await newKey({ slots: 4, scopes })
  const api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
  await prepare(api)
  const visit = await startVisit(stack.url, { key, ...options })
  await visit.open(path)
  return { ...visit, api }
}

const all = (['light', 'dark'] as const).flatMap((theme) => [360, 1280].map((width) => ({ theme, width })))

/** The looks in which every page must be accessible. */
export const looks =
  process.env.LATHE_TEST_SIZE === 'sample'
    ? all.filter(({ theme, width }) => (theme === 'dark') === (width === 360))
    : all

/** Expects no findings of axe, and no horizontal overflow. */
export async function expectNoBarriers(visit: Visit): Promise<void> {
  expect(await visit.barriers()).toEqual([])
  const overflow = await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
}

/** Names that would do harm if they were treated as more than text. */
export const hostileNames = [
  '<img src=x onerror=alert(1)><b>bold</b>',
  '"><svg/onload=alert(1)>{{constructor}}',
  'a\u202Egnp.exe',
  `${'long'.repeat(200)}`,
] as const
