import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts as stack } from './accounts.ts'
import { expectNoBarriers, hostileNames, looks } from './dashboard-visit.ts'
import { createKeyboard } from './keyboard.ts'
import { createPerson, type Person, signIn } from './people.ts'
import { closeBrowser } from './visit.ts'

let person: Person
beforeAll(async () => {
  person = await createPerson(stack, 'ada@profile.example')
})
afterAll(closeBrowser)

describe('the profile', () => {
  it('has a name and an email address that change, by keyboard alone', async () => {
    const other = await createPerson(stack, 'taken@profile.example')
    await using visit = await signIn(stack.url, person, '/settings', { tolerates: /40[01]/ })
    const { page } = visit
    const keyboard = createKeyboard(page)
    const dialog = page.getByRole('dialog')
    await page.getByText(person.email).waitFor()
    await keyboard.press('Change: Name')
    await dialog.getByLabel('Name').fill(hostileNames[0])
    await keyboard.press('Save')
    await page.getByRole('main').getByText(hostileNames[0]).waitFor()
    await keyboard.press('Change: Email')
    await dialog.getByLabel('Email').fill(other.email)
    await keyboard.type('Current password', 'not my password')
    await keyboard.press('Save')
    await dialog.getByText('This is not your current password').waitFor()
    await dialog.getByLabel('Current password').fill(person.password)
    await keyboard.press('Save')
    await dialog.getByText('Another account has this email address').waitFor()
    await expectNoBarriers(visit)
    await dialog.getByLabel('Email').fill('Lovelace@profile.example')
    await keyboard.press('Save')
    await page.getByRole('main').getByText('lovelace@profile.example').waitFor()
    await visit.open('/audit')
    const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
    await rows.filter({ hasText: 'account.changed' }).filter({ hasText: 'lovelace@profile.example' }).first().waitFor()
    expect(await page.getByLabel('User').textContent()).toContain(`${hostileNames[0]} (lovelace@profile.example)`)

    await using again = await signIn(stack.url, { ...person, email: 'lovelace@profile.example' }, '/settings')
    await again.page.getByRole('main').getByText('lovelace@profile.example').waitFor()
  })

  it.each(looks)('has no barriers ($theme, $width px)', async (look) => {
    const someone = await createPerson(stack, `look-${look.theme}-${look.width}@profile.example`)
    await using visit = await signIn(stack.url, someone, '/settings', look)
    await visit.page.getByText(someone.email).waitFor()
    await expectNoBarriers(visit)
    await visit.page.getByRole('button', { name: 'Change: Email' }).click()
    await visit.page.getByLabel('Current password').waitFor()
    await expectNoBarriers(visit)
  })
})
