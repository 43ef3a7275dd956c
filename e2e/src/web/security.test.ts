import { afterAll, describe, expect, it } from 'vitest'
import { accounts as stack } from './accounts.ts'
import { expectNoBarriers, looks } from './dashboard-visit.ts'
import { createKeyboard } from './keyboard.ts'
import { codeOf, createPerson, signIn } from './people.ts'
import { closeBrowser, startVisit } from './visit.ts'

afterAll(closeBrowser)

describe('sessions', () => {
  it('are listed, and another one is ended after a question', async () => {
    const person = await createPerson(stack, 'sessions@security.example')
    await using other = await signIn(stack.url, person, '/', { tolerates: /401/ })
    await using visit = await signIn(stack.url, person, '/security')
    const { page } = visit
    const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    const foreign = rows.filter({ hasNotText: 'This browser' })
    await foreign.getByText('Chrome · Linux').waitFor()
    await foreign.getByRole('button', { name: /^End session/ }).click()
    await foreign.getByText('signed out within 5 seconds').waitFor()
    expect(await visit.barriers()).toEqual([])
    await foreign.getByRole('button', { name: 'End session', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await other.open('/security')
    await other.page.getByLabel('Email').waitFor()
  })

  it('end here, too, and lead to the sign-in', async () => {
    const person = await createPerson(stack, 'leave@security.example')
    await using visit = await signIn(stack.url, person, '/security', { tolerates: /401/ })
    const { page } = visit
    await page.getByRole('button', { name: 'Sign out here' }).click()
    await page.getByRole('button', { name: 'Sign out here' }).click()
    await page.getByLabel('Email').waitFor()
  })

  it('show what a browser calls itself as text', async () => {
    const person = await createPerson(stack, 'agent@security.example')
    const headers = { origin: stack.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const agent = '<img src=x onerror=alert(1)>'
    const body = JSON.stringify(person)
    await fetch(`${stack.url}/auth/sign-in`, { method: 'POST', headers: { ...headers, 'user-agent': agent }, body })
    await using visit = await signIn(stack.url, person, '/security')
    await visit.page.getByText('Unknown browser').waitFor()
    expect(await visit.page.getByTitle(agent).count()).toBe(1)
  })
})

describe('the password', () => {
  it('is changed by keyboard alone, and works afterwards', async () => {
    const person = await createPerson(stack, 'password@security.example')
    const next = 'eight brown bottles on a wall'
    await using visit = await signIn(stack.url, person, '/security', { tolerates: /400/ })
    const { page } = visit
    await page.getByLabel('Current password').focus()
    await page.keyboard.type('not this one')
    await page.keyboard.press('Tab')
    await page.keyboard.type(next)
    await page.keyboard.press('Enter')
    await page.getByText('This is not your current password.').waitFor()
    await page.getByLabel('Current password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByText('Your password is changed.').waitFor()
    await using again = await signIn(stack.url, { ...person, password: next }, '/security')
    await again.page.getByText('This browser').waitFor()
  })

  it('is refused in words if it is too common', async () => {
    const person = await createPerson(stack, 'common@security.example')
    await using visit = await signIn(stack.url, person, '/security', { tolerates: /400/ })
    const { page } = visit
    await page.getByLabel('Current password').fill(person.password)
    await page.getByLabel('New password').fill('password123')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page
      .getByRole('alert')
      .getByText(/^password /)
      .waitFor()
  })
})

describe('the second factor', () => {
  it('is set up with a QR code, asked for at a sign-in by keyboard alone, and removed', async () => {
    const person = await createPerson(stack, 'totp@security.example')
    await using visit = await signIn(stack.url, person, '/security', { tolerates: /400/ })
    const { page } = visit
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(person.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
    const key = (await dialog.locator('pre').textContent()) ?? ''
    await dialog.getByLabel('Code from the app').fill('000000')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('The code is wrong or too old').waitFor()
    expect(await visit.barriers()).toEqual([])
    await dialog.getByLabel('Code from the app').fill(codeOf(key))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('They are not shown again').waitFor()
    const codes = ((await dialog.locator('pre').textContent()) ?? '').split('\n')
    expect(codes).toHaveLength(10)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as a file' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('lathe-recovery-codes.txt')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('On', { exact: true }).waitFor()

    await using second = await startVisit(stack.url)
    await second.open('/sign-in')
    await second.page.getByLabel('Email').waitFor()
    const keyboard = createKeyboard(second.page)
    await keyboard.type('Email', person.email)
    await keyboard.type('Password', person.password)
    await second.page.keyboard.press('Enter')
    await second.page.getByLabel('Code').waitFor()
    await keyboard.type('Code', codes[0] ?? '')
    await keyboard.press('Sign in')
    await second.page.getByRole('button', { name: 'Sign out' }).waitFor()

    await page.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByLabel('Current password').fill(person.password)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Off', { exact: true }).waitFor()
  })
})

it.each(looks)('security has no barriers ($theme, $width px)', async ({ theme, width }) => {
  const person = await createPerson(stack, `${theme}${width}@security.example`)
  await using visit = await signIn(stack.url, person, '/security', { theme, width })
  await visit.page.getByText('This browser').waitFor()
  await expectNoBarriers(visit)
})
