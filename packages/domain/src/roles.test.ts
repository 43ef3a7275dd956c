import { expect, it } from 'vitest'
import { isAtLeast, mayManage, ownerRoles } from './roles.ts'

it('each role may do what lower ones may', () => {
  for (const [n, role] of ownerRoles.entries()) {
    for (const [m, needed] of ownerRoles.entries()) expect(isAtLeast(role, needed)).toBe(n >= m)
  }
})

it('members manage nobody, admins everybody but owners, and owners everybody', () => {
  const managed = (actor: (typeof ownerRoles)[number]) => ownerRoles.filter((role) => mayManage(actor, role))
  expect(managed('member')).toEqual([])
  expect(managed('admin')).toEqual(['member', 'admin'])
  expect(managed('owner')).toEqual(['member', 'admin', 'owner'])
})
