import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  type IdentityProvider,
  type MailServer,
  type Stack,
  startIdentityProvider,
  startMailServer,
  startStack,
} from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser, startVisit, type Visit, type VisitOptions } from './visit.ts'

let stack: Stack
let provider: IdentityProvider
let mail: MailServer
let ada: { readonly email: string; readonly password: string }

beforeAll(async () => {
  provider = await startIdentityProvider()
  mail = await startMailServer()
  const { issuer, clientId, clientSecret } = provider
  stack = await startStack({
    schedulers: 0,
    workers: 0,
    env: {
      ...{ ACCOUNTS_MODE: 'accounts', ACCOUNT_TEAMS: '20', SMTP_URL: mail.url, MAIL_FROM: 'Lathe <lathe@example.com>' },
      ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Example ID' },
      INVITED_ACCOUNTS: 'everybody',
    },
  })
  provider.allow(`${stack.url}/auth/oidc/callback`)
  provider.people.set('grace', { name: 'Grace Hopper', email: 'grace@example.com', email_verified: true })
  ada = await createPerson('Ada', 'ada@example.com')
})
afterAll(async () => {
  await closeBrowser()
  await stack[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

async function createPerson(name: string, email: string): Promise<{ email: string; password: string }> {
  const program = new URL('../../../scripts/admin.ts', import.meta.url).pathname
  const env = { PATH: process.env.PATH, DATABASE_URL: stack.databaseUrl, LATHE_SECRET: stack.secret }
  const args = [program, 'create-user', '--name', name, '--email', email, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return { email, password: (JSON.parse(stdout) as { password: string }).password }
}

async function signIn({ page, open }: Visit, { email, password }: typeof ada): Promise<void> {
  await open('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('link', { name: 'Dashboard' }).first().waitFor()
}

async function expectNoBarriers(visit: Visit): Promise<void> {
  expect(await visit.barriers()).toEqual([])
  const overflow = await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
}

/** Somebody who is signed in, acts for a new team, and looks at its members. */
async function openTeam(name: string, options: VisitOptions = {}): Promise<Visit> {
  const visit = await startVisit(stack.url, options)
  const { page } = visit
  await signIn(visit, ada)
  await visit.open('/members')
  // Who acted for a team before still does.
  const switcher = page.getByLabel('Act for')
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (await switcher.isVisible()) {
    await Promise.all([page.waitForEvent('load'), switcher.selectOption({ label: 'Ada' })])
  }
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByLabel('Name of the team').fill(name)
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create team' })
  await Promise.all([page.waitForEvent('load'), create.click()])
  await page.getByRole('heading', { name, exact: true }).waitFor()
  return visit
}

describe('the identity provider', () => {
  it('signs people in, and leads them back to the page', async () => {
    await using visit = await startVisit(stack.url, { alsoAsks: provider.issuer })
    const { page } = visit
    await visit.open('/sign-in?back=%2Fmembers')
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await page.getByLabel('Name').fill('grace')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Teams', exact: true }).waitFor()
    expect(page.url()).toBe(`${stack.url}/members`)
    await page.getByText('Grace Hopper').waitFor()
    await page.getByText('No teams yet').waitFor()
    await expectNoBarriers(visit)
  })

  it('says no, which the sign-in page shows', async () => {
    await using visit = await startVisit(stack.url, { alsoAsks: provider.issuer })
    const { page } = visit
    await visit.open('/sign-in')
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The sign-in was canceled.').waitFor()
    await expectNoBarriers(visit)
  })
})

describe('a team', () => {
  it('is joined through a mail by somebody without an account, who is then given a role and removed', async () => {
    await using visit = await openTeam('Turners & <b>Co</b>')
    const { page } = visit
    await page.getByRole('button', { name: 'Invite people' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email (optional)').fill('bob@example.com')
    expect(await visit.barriers()).toEqual([])
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    await dialog.getByText('The invitation was sent to bob@example.com.').waitFor()
    const shown = await dialog.locator('pre').textContent()
    await dialog.getByText('for the account with the address bob@example.com').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor()

    const source = (mail.mails.at(-1)?.source ?? '').replace(/=\r\n/g, '').replace(/=3D/g, '=')
    const [link = ''] = /http\S+\/join#\S+/.exec(source) ?? []
    // The link that the inviter sees does not prove that its user receives mail.
    expect(link).not.toBe('')
    expect(link).not.toBe(shown)
    await using guest = await startVisit(stack.url, { width: 360, theme: 'dark' })
    await guest.open(link.slice(stack.url.length))
    await guest.page.getByRole('heading', { name: 'Join Turners & <b>Co</b>' }).waitFor()
    expect(guest.page.url()).toBe(`${stack.url}/join`)
    expect(await guest.page.getByLabel('Email').inputValue()).toBe('bob@example.com')
    expect(await guest.page.getByLabel('Email').isEditable()).toBe(false)
    await expectNoBarriers(guest)
    await guest.page.getByLabel('Your name').fill('Bob')
    await guest.page.getByLabel('Password').fill('seven green bottles')
    await guest.page.getByRole('button', { name: 'Create account' }).click()
    await guest.page.getByRole('listitem').filter({ hasText: 'Bob' }).getByText('(you)').waitFor()
    expect(await guest.page.getByRole('button', { name: 'Invite people' }).count()).toBe(0)
    await expectNoBarriers(guest)

    await page.reload()
    await page.getByLabel('Role of Bob').selectOption('admin')
    await guest.page.reload()
    await guest.page.getByRole('button', { name: 'Invite people' }).waitFor()
    await page.getByRole('button', { name: 'Remove Bob' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'Bob' }).waitFor({ state: 'detached' })
    await guest.page.reload()
    await guest.page.getByText('No teams yet').waitFor()
  })

  it('says that mail failed, and shows the link all the same; a link that was revoked is void', async () => {
    mail.refused.add('nobody@example.com')
    await using visit = await openTeam('Millers')
    const { page } = visit
    await page.getByRole('button', { name: 'Invite people' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email (optional)').fill('nobody@example.com')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    await dialog.getByText('The mail could not be sent.').waitFor()
    const link = (await dialog.locator('pre').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke the invitation: nobody@example.com' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('nobody@example.com').waitFor({ state: 'detached' })
    await using guest = await startVisit(stack.url, { tolerates: /404/ })
    await guest.open(link.slice(stack.url.length))
    await guest.page.getByText('This invitation does not work').waitFor()
    await expectNoBarriers(guest)
  })

  it('is made, and people invited and their invitation revoked, by keyboard alone', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await signIn(visit, ada)
    await visit.open('/members')
    const keyboard = createKeyboard(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (await page.getByLabel('Act for').isVisible()) {
      await Promise.all([page.waitForEvent('load'), keyboard.type('Act for', 'Ada')])
    }
    await page.getByRole('button', { name: 'Create team' }).waitFor()
    await keyboard.press('Create team')
    await page.getByLabel('Name of the team').waitFor()
    await keyboard.type('Name of the team', 'Potters')
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    await page.getByRole('heading', { name: 'Potters', exact: true }).waitFor()
    await keyboard.press('Invite people')
    await page.getByLabel('Email (optional)').waitFor()
    await keyboard.type('Role', 'Admin')
    await keyboard.press('Create invitation')
    await page.getByRole('dialog').locator('pre').getByText('/join#').waitFor()
    await keyboard.press('Done')
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor()
    await keyboard.press(/^Revoke the invitation/)
    await keyboard.press('Revoke')
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor({ state: 'detached' })
  })

  it('is joined by keyboard alone, by somebody without an account', async () => {
    await using visit = await openTeam('Glaziers')
    const { page } = visit
    await page.getByRole('button', { name: 'Invite people' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    const link = (await dialog.locator('pre').textContent()) ?? ''
    await using guest = await startVisit(stack.url)
    await guest.open(link.slice(stack.url.length))
    await guest.page.getByRole('heading', { name: 'Join Glaziers' }).waitFor()
    const keyboard = createKeyboard(guest.page)
    await keyboard.type('Your name', 'Cleo')
    await keyboard.type('Email', 'cleo@example.com')
    await keyboard.type('Password', 'seven green bottles')
    await keyboard.press('Create account')
    await guest.page.getByRole('listitem').filter({ hasText: 'Cleo' }).getByText('(you)').waitFor()
  })

  it('is renamed with the keyboard alone, everywhere on the page', async () => {
    await using visit = await openTeam('Weavers')
    const { page } = visit
    await page.getByRole('button', { name: 'Rename Weavers' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').fill('Weavers & <i>Sons</i>')
    expect(await visit.barriers()).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Weavers & <i>Sons</i>', exact: true }).waitFor()
    await page.getByLabel('Act for').getByText('Weavers & <i>Sons</i>').waitFor({ state: 'attached' })
  })

  it('shares presets, or leaves them to one person', async () => {
    await using visit = await openTeam('Potters')
    const { page } = visit
    await visit.open('/presets')
    const entry = { name: 'small', operation: 'convert', output_format: 'webp', options: {}, personal: false }
    const buffer = Buffer.from(JSON.stringify({ kind: 'lathe-presets', version: 1, presets: [entry] }))
    await page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer })
    const row = page.getByRole('list', { name: 'Presets' }).getByRole('listitem')
    await row.getByRole('button', { name: 'Edit small' }).click()
    await page.getByLabel('Who sees it').selectOption('Only you')
    expect(await visit.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Only you').waitFor()
  })

  it('is left for oneself and back by the list in the head, and keeps its last owner', async () => {
    await using visit = await openTeam('Smiths', { width: 360, tolerates: /400/ })
    const { page } = visit
    await page.getByRole('button', { name: 'Leave Smiths' }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByText('A team needs an owner.').waitFor()
    await expectNoBarriers(visit)
    const switcher = page.getByLabel('Act for')
    await Promise.all([page.waitForEvent('load'), switcher.selectOption({ label: 'Ada' })])
    await page.getByRole('button', { name: 'Open Smiths' }).waitFor()
    await expectNoBarriers(visit)
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Open Smiths' }).click()])
    await page.getByRole('button', { name: 'Delete team: Smiths' }).click()
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('button', { name: 'Delete team', exact: true }).click(),
    ])
    await page.getByRole('heading', { name: 'Teams', exact: true }).waitFor()
    await page.getByText('Smiths').waitFor({ state: 'detached' })
  })
})
