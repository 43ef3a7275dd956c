import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { type Stack, startStack } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKeyboard } from './keyboard.ts'
import { createPerson, type Person, signIn } from './people.ts'
import { closeBrowser, type Visit } from './visit.ts'

// Browsers offer passkeys to localhost and not to 127.0.0.1, which is where the stack is.
let stack: Stack
let door: Server
let url: string
let person: Person
beforeAll(async () => {
  door = createServer((socket) => {
    const { hostname, port } = new URL(stack.url)
    const inner = connect(Number(port), hostname)
    socket.pipe(inner).pipe(socket)
    socket.on('error', () => inner.destroy())
    inner.on('error', () => socket.destroy())
  }).listen(0, 'localhost')
  await once(door, 'listening')
  url = `http://localhost:${(door.address() as AddressInfo).port}`
  stack = await startStack({
    schedulers: 0,
    workers: 0,
    appEnv: { api: { ACCOUNTS_MODE: 'accounts', LATHE_PUBLIC_URL: url, SIGN_INS_PER_ADDRESS: '1000' } },
  })
  person = await createPerson(stack, 'passkeys@x.example', { url })
})
afterAll(async () => {
  await closeBrowser()
  door.close()
  await stack[Symbol.asyncDispose]()
})

/** Gives a browser an authenticator that says yes to everything, or to nothing. */
async function addAuthenticator({ context, page }: Visit, isUserVerified: boolean): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified, automaticPresenceSimulation: true },
    },
  })
}

it('a passkey is added under a hostile name, signs in without a password, and is removed', async () => {
  const name = '<b>phone</b>'
  await using visit = await signIn(url, person, '/security')
  const { page } = visit
  await addAuthenticator(visit, true)
  await page.getByText('No passkeys yet').waitFor()
  expect(await visit.barriers()).toEqual([])
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Current password').fill(person.password)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem').filter({ hasText: name })
  await row.getByText('never used').waitFor()

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()

  await visit.open('/security')
  await row.getByText('last used').waitFor()
  await row.getByRole('button', { name: `Rename ${name}` }).click()
  await dialog.getByLabel('Name').fill(`my ${name}`)
  expect(await visit.barriers()).toEqual([])
  await page.keyboard.press('Enter')
  await row.getByText(`my ${name}`).waitFor()
  await row.getByRole('button', { name: `Remove my ${name}` }).click()
  await row.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('No passkeys yet').waitFor()
})

it('a passkey is added, and signs in, by keyboard alone', async () => {
  await using visit = await signIn(url, person, '/security')
  const { page } = visit
  await addAuthenticator(visit, true)
  const keyboard = createKeyboard(page)
  await page.getByText('No passkeys yet').waitFor()
  await keyboard.press('Add passkey')
  await page.getByRole('dialog').waitFor()
  await keyboard.type('Name', 'keys')
  await keyboard.type('Current password', person.password)
  await keyboard.press('Add passkey')
  await page.getByRole('button', { name: 'Rename keys' }).waitFor()
  await keyboard.press('Sign out')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  await keyboard.press('Sign in with a passkey')
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
  await visit.open('/security')
  await page.getByRole('button', { name: 'Remove keys' }).waitFor()
  await keyboard.press('Remove keys')
  await keyboard.press('Remove')
  await page.getByText('No passkeys yet').waitFor()
})

it('a passkey that was refused at the device is explained in plain words', async () => {
  await using visit = await signIn(url, person, '/security')
  const { page } = visit
  await addAuthenticator(visit, false)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('phone')
  await dialog.getByLabel('Current password').fill(person.password)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByText('No passkey was created.').waitFor()
})
