import { expect, it } from 'vitest'
import { checkAuthAnswer } from './check-auth-answer.ts'

const teams = { method: 'GET', url: '/auth/teams', status: 200, body: '{"data":[]}' }
const signOut = { method: 'POST', url: '/auth/sign-out', sent: {}, status: 204, body: '' }

it.each([teams, signOut, { method: 'GET', url: '/v1/account', status: 200, body: '"anything"' }])(
  'accepts what the document describes: %j',
  (answer) => {
    expect(() => checkAuthAnswer(answer)).not.toThrow()
  },
)

it.each([
  [{ ...teams, body: '{"data":[{"id":1}]}' }, /data\/0/],
  [{ ...teams, body: '{"data":[],"more":1}' }, /additional/],
  [{ ...teams, status: 418 }, /418 is not in the document/],
  [{ ...teams, url: '/auth/crews' }, /is not in the document/],
  [{ ...teams, status: 404 }, /required/],
  [{ ...signOut, body: '{}' }, /the body is not empty/],
  [{ ...signOut, sent: { all: true } }, /the request is not allowed/],
])('finds what the document does not describe: %j', (answer, fault) => {
  expect(() => checkAuthAnswer(answer)).toThrow(fault)
})
