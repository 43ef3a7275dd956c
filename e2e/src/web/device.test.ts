import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stack as keysOnly } from '../scenario.ts'
import { startLogin } from '../start-login.ts'
import { accounts as stack } from './accounts.ts'
import { createKeyboard } from './keyboard.ts'
import { createPerson, type Person, signIn } from './people.ts'
import { closeBrowser, startVisit, type Visit } from './visit.ts'

let home: string
let ada: Person

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'lathe-device-'))
  ada = await createPerson(stack, 'ada@device.example')
})
afterAll(async () => {
  await closeBrowser()
  rmSync(home, { recursive: true, force: true })
})

async function expectNoBarriers(visit: Visit): Promise<void> {
  expect(await visit.barriers()).toEqual([])
  const overflow = await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
}

describe('a device that signs in', () => {
  it('is approved by its link, after signing in and comparing the code, and its key is on the page of keys', async () => {
    using login = await startLogin(stack.url, home)
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await visit.open(login.path)
    await page.getByText('Sign in first.').waitFor()
    await expectNoBarriers(visit)
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill(ada.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText(login.userCode).waitFor()
    expect(page.url()).toBe(`${stack.url}/device`)
    await page.getByText(`lathe on ${hostname()}`).waitFor()
    await page.getByText('127.0.0.1').waitFor()
    await page.getByText('Create, cancel and delete tasks and jobs').waitFor()
    await expectNoBarriers(visit)
    const approve = page.getByRole('button', { name: 'Approve' })
    expect(await approve.isDisabled()).toBe(true)
    await page.getByLabel('My terminal shows the same code').check()
    await approve.click()
    await page.getByRole('heading', { name: 'Device approved' }).waitFor()
    expect(await login.ended).toBe(0)
    expect(login.written.err).toContain('Signed in as Ada.')
    await visit.open('/keys')
    await page.getByText(`lathe on ${hostname()}`).waitFor()
  })

  it('is approved by its typed code, by keyboard alone', async () => {
    using login = await startLogin(stack.url, home)
    await using visit = await signIn(stack.url, ada, '/device')
    const { page } = visit
    const keyboard = createKeyboard(page)
    await page.getByLabel('Code').waitFor()
    await keyboard.type('Code', login.userCode)
    await keyboard.press('Continue')
    await page.getByText(`lathe on ${hostname()}`).waitFor()
    await keyboard.press('Approve')
    await page.getByRole('heading', { name: 'Device approved' }).waitFor()
    expect(await login.ended).toBe(0)
  })

  it('is denied by its typed code, dark and on a phone, from right to left as well', async () => {
    using login = await startLogin(stack.url, home)
    // A code that leads to nothing is refused on purpose.
    await using visit = await signIn(stack.url, ada, '/device', { theme: 'dark', width: 360, tolerates: /404/ })
    const { page } = visit
    const code = page.getByLabel('Code')
    await code.fill('bbbb-bbbb')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('There is no sign-in with this code.').waitFor()
    await expectNoBarriers(visit)
    await code.fill(login.userCode.toLowerCase().replace('-', ' '))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(`lathe on ${hostname()}`).waitFor()
    await expectNoBarriers(visit)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'Device denied' }).waitFor()
    expect(await login.ended).toBe(3)
    await using arabic = await startVisit(stack.url, { language: 'ar', width: 360 })
    await arabic.open('/device')
    await arabic.page.getByRole('heading', { name: 'تسجيل الدخول على جهاز' }).waitFor()
    await expectNoBarriers(arabic)
  })
})

it('where there are API keys alone, the page says what to do instead', async () => {
  await using visit = await startVisit(keysOnly.url)
  await visit.open('/device')
  await visit.page.getByText('lathe login --key').waitFor()
  expect(await visit.barriers()).toEqual([])
})
