import { expect, it } from 'vitest'
import { toWorkerProfile } from './worker-profile.ts'

const profile = toWorkerProfile({
  defaultAction: 'SCMP_ACT_ERRNO',
  defaultErrno: 'ENOSYS',
  syscalls: [
    { names: ['read', 'clone'], action: 'SCMP_ACT_ALLOW' },
    { names: ['sethostname', 'pivot_root'], action: 'SCMP_ACT_ERRNO', errno: 'EPERM' },
    { names: ['setns'], action: 'SCMP_ACT_ERRNO', errno: 'EPERM' },
  ],
})
const actionsOf = (call: string) =>
  profile.syscalls.filter(({ names }) => names.includes(call)).map(({ action }) => action)

it('allows what bubblewrap needs by one rule each, since two that differ are refused', () => {
  for (const call of ['clone', 'unshare', 'mount', 'umount2', 'pivot_root', 'sethostname']) {
    expect(actionsOf(call)).toEqual(['SCMP_ACT_ALLOW'])
  }
})

it('leaves everything else as it was', () => {
  expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO')
  expect(actionsOf('read')).toEqual(['SCMP_ACT_ALLOW'])
  expect(actionsOf('setns')).toEqual(['SCMP_ACT_ERRNO'])
})

it('has no words that only one container engine knows', () => {
  expect(JSON.stringify(profile)).not.toContain('rrno"')
})
