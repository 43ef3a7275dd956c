import { describe, expect, it } from 'vitest'
import { faultsOf } from '../testing/faults-of.ts'
import { parseDeviceLogin } from './parse-device.ts'

describe('a sign-in of a program', () => {
  it('has the usual scopes unless it asks for fewer', () => {
    const usual = ['task.read', 'task.write', 'webhook.read', 'webhook.write', 'account.read']
    expect(parseDeviceLogin({ client_name: 'lathe on x' })).toEqual({ name: 'lathe on x', scopes: usual })
    expect(parseDeviceLogin({ client_name: 'x', scopes: ['task.write', 'task.read'] }).scopes).toEqual(
      usual.slice(0, 2),
    )
  })

  it('has a name without invisible characters [D-auth-17]', () => {
    expect(parseDeviceLogin({ client_name: ' a\u202eb\nc\u2066 ' }).name).toBe('abc')
  })

  it.each([
    [{}, 'client_name'],
    [{ client_name: '\u202e' }, 'client_name'],
    [{ client_name: 'x'.repeat(101) }, 'client_name'],
    [{ client_name: 'x', scopes: ['account.write'] }, 'scopes'],
    [{ client_name: 'x', scopes: [] }, 'scopes'],
    [{ client_name: 'x', client_id: 'y' }, 'client_id'],
  ])('is refused as %j, and %s is named', (body, path) => {
    expect(faultsOf(() => parseDeviceLogin(body)).map((fault) => fault.path)).toEqual([path])
  })
})
