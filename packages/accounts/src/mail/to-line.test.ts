import { expect, it } from 'vitest'
import { toInvitationMail } from './invitation-mail.ts'
import { toName } from './to-line.ts'

it.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['Dr. Ada', 'Dr. Ada'],
  ['Turners & Co.', 'Turners & Co.'],
  ['verify at https://evil.example/login now', 'verify at https evil example login now'],
  ['www.evil.example', 'www evil example'],
  ['mail me@evil.example', 'mail me evil example'],
  ['evil\u3002example', 'evil example'],
  ['evil\uff0eexample\uff0fx', 'evil example x'],
  ['evil\u200b.example', 'evil  example'],
  ['evil.\u200bexample', 'evil  example'],
  ['a\r\nBcc: b', 'a Bcc: b'],
])('the name %j is %j in a mail', (name, shown) => {
  expect(toName(name)).toBe(shown)
})

it('a name is cut at whole characters', () => {
  expect(toName('😀'.repeat(50), 40)).toBe(`${'😀'.repeat(40)}…`)
  expect(toName('x'.repeat(40), 40)).toBe('x'.repeat(40))
})

it('names are cut at 40 characters in the subject of an invitation', () => {
  const names = { inviter: `Your bank ${'x'.repeat(90)}`, team: `call now ${'y'.repeat(90)}` }
  const { subject } = toInvitationMail({ to: 'a@x.example', ...names, url: 'https://x.example', expiresAt: new Date() })
  expect(subject).toBe(`Your bank ${'x'.repeat(30)}… invites you to call now ${'y'.repeat(31)}… on Lathe`)
})
