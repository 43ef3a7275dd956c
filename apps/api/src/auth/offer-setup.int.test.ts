import { expect, it } from 'vitest'
import { openBrowser } from '../testing/browser.ts'
import { startApi } from '../testing/start-api.ts'
import { offerSetup } from './offer-setup.ts'

function openTerminal(isTTY: boolean) {
  let text = ''
  return { isTTY, write: (more: string) => (text += more), shown: () => text }
}

it('shows a link that works to a terminal while nobody can sign in, and to nothing else [D-auth-01]', async () => {
  await using api = await startApi({ env: { ACCOUNTS_MODE: 'accounts' } })
  const [pipe, terminal, later] = [openTerminal(false), openTerminal(true), openTerminal(true)]
  await offerSetup(api.services, pipe)
  expect(pipe.shown()).toBe('')
  await offerSetup(api.services, terminal)
  const [, link] = /https:\/\/lathe\.test\/setup#([\w-]{43})\n/.exec(terminal.shown()) ?? []
  const admin = { link, name: 'Ada', email: 'ada@x.example', password: 'seven green bottles' }
  expect((await openBrowser(api.app).change('POST', '/auth/setup', admin)).status).toBe(201)
  await offerSetup(api.services, later)
  expect(later.shown()).toBe('')
})

it('shows nothing in modes without sign-in', async () => {
  await using api = await startApi({ env: { ACCOUNTS_MODE: 'open' } })
  const terminal = openTerminal(true)
  await offerSetup(api.services, terminal)
  expect(terminal.shown()).toBe('')
})
