import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts as stack } from './accounts.ts'
import { expectNoBarriers, looks } from './dashboard-visit.ts'
import { choose, fileOf } from './files.ts'
import { createPerson, type Person, signIn } from './people.ts'
import { closeBrowser } from './visit.ts'

let other: Person
beforeAll(async () => {
  other = await createPerson(stack, 'owner@deletion.example')
})
afterAll(closeBrowser)

describe('deleting the own account', () => {
  it('takes the email address and the password, by keyboard alone, and then nothing of it is left [D-auth-16]', async () => {
    const person = await createPerson(stack, 'leaving@deletion.example')
    await using visit = await signIn(stack.url, person, '/', { tolerates: /40[01]/ })
    const { page } = visit
    await choose(visit, fileOf('photo-40k.jpg', 'holiday.jpg'))
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    const link = page.getByRole('link', { name: 'Download', exact: true })
    const address = new URL((await link.getAttribute('href')) ?? '', stack.url)
    expect((await fetch(address)).status).toBe(200)
    await visit.open('/settings')
    await page.getByRole('button', { name: 'Delete account' }).focus()
    await page.keyboard.press('Enter')
    const submit = page.getByRole('button', { name: 'Delete my account for good' })
    expect(await submit.isDisabled()).toBe(true)
    expect(await visit.barriers()).toEqual([])
    await page.keyboard.type(person.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type('not my password')
    await page.keyboard.press('Enter')
    await page.getByText('This is not your current password.').waitFor()
    await page.getByLabel('Current password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Convert files' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await expect.poll(async () => (await fetch(address)).status, { timeout: 20_000 }).not.toBe(200)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByText('Email or password is wrong.').waitFor()
  })

  it('is refused to the only owner of a team, which is named', async () => {
    await using visit = await signIn(stack.url, other, '/members', { tolerates: /400/ })
    const { page } = visit
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByLabel('Name of the team').fill('<b>Turners</b>')
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create team' })
    await Promise.all([page.waitForEvent('load'), create.click()])
    await visit.open('/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByLabel(`Type ${other.email} to confirm`).fill(other.email.toUpperCase())
    await page.getByLabel('Current password').fill(other.password)
    await page.getByRole('button', { name: 'Delete my account for good' }).click()
    await page.getByText('You are the only owner of: <b>Turners</b>.').waitFor()
  })

  it.each(looks)('has no barriers ($theme, $width px)', async (look) => {
    await using visit = await signIn(stack.url, other, '/settings', look)
    await visit.page.getByRole('button', { name: 'Delete account' }).click()
    await visit.page.getByLabel('Current password').waitFor()
    await expectNoBarriers(visit)
  })
})
