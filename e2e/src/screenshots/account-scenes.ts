import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stack } from '@lathe/testing'
import { startLogin } from '../start-login.ts'
import { createPerson, makeSetupLink, type Person } from '../web/people.ts'
import type { Visit } from '../web/visit.ts'

/** An instance with accounts: one that has users, and one that has none. */
export interface Instances {
  readonly used: Stack
  readonly unused: Stack
  readonly admin: Person
}

/** An instance, and what is done there in a browser. */
interface AccountScene {
  readonly at?: 'unused'
  play(visit: Visit, instances: Instances): Promise<void>
}

/** Creates an administrator and another user. */
export async function fillInstance(used: Stack): Promise<Person> {
  await createPerson(used, 'grace.with.a.rather.long.address@department.example.com')
  return createPerson(used, 'ada@example.com', { isAdmin: true })
}

// In every language.
async function signIn({ page, open }: Visit, { email, password }: Person): Promise<void> {
  await open('/sign-in')
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.locator('form button[type=submit]').click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

const page = (path: string): AccountScene => ({
  async play(visit, { admin }) {
    await signIn(visit, admin)
    await visit.open(path)
    await visit.page.locator('main h2').first().waitFor()
    await visit.page.waitForTimeout(500)
  },
})

/** Pages of an instance with accounts, each in its own browser. */
export const accountScenes: Readonly<Record<string, AccountScene>> = {
  keys: page('/keys'),
  usage: page('/usage'),
  security: page('/security'),
  members: page('/members'),
  instance: page('/instance'),
  device: {
    async play(visit, { used, admin }) {
      const home = mkdtempSync(join(tmpdir(), 'lathe-device-'))
      using login = await startLogin(used.url, home)
      await signIn(visit, admin)
      await visit.open(login.path)
      await visit.page.locator('main dl').waitFor()
      rmSync(home, { recursive: true, force: true })
    },
  },
  'account-sign-in': {
    async play(visit) {
      await visit.open('/sign-in')
      await visit.page.locator('form').waitFor()
    },
  },
  setup: {
    at: 'unused',
    async play(visit, { unused }) {
      await visit.open(await makeSetupLink(unused))
      await visit.page.locator('form').waitFor()
    },
  },
}
