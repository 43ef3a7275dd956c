import { readFile } from 'node:fs/promises'
import { type SeccompProfile, toWorkerProfile } from '../../../scripts/images/worker-profile.ts'

/** Podman's default profile, as Debian ships it. */
export const podmanDefault = '/usr/share/containers/seccomp.json'

// Docker allows these only with CAP_SYS_ADMIN, and pivot_root never.
const privileged = ['unshare', 'mount', 'umount', 'umount2', 'setns', 'sethostname']
const refused = [...privileged, 'clone', 'clone3', 'pivot_root']
// CLONE_NEW* of linux/sched.h.
const namespaceFlags = 0x7e02_0000

/** Docker's default profile, made from Podman's by removing what Docker does not allow. */
export async function dockerDefault(from = podmanDefault): Promise<SeccompProfile> {
  const profile = await readProfile(from)
  const kept = profile.syscalls.map((rule) => ({
    ...rule,
    names: rule.names.filter((name) => !refused.includes(name)),
  }))
  const withoutNamespaces = { index: 0, value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }
  const caps = { includes: { caps: ['CAP_SYS_ADMIN'] } }
  const [clone, others] = [
    { names: ['clone'], action: 'SCMP_ACT_ALLOW', args: [withoutNamespaces] },
    { names: ['clone', ...privileged], action: 'SCMP_ACT_ALLOW', args: [], ...caps },
  ]
  return { ...profile, syscalls: [...kept.filter(({ names }) => names.length > 0), clone, others] }
}

/** The profile that we ship for workers, made from the same default as in the image. */
export async function shippedProfile(from = podmanDefault): Promise<SeccompProfile> {
  return toWorkerProfile(await readProfile(from))
}

async function readProfile(path: string): Promise<SeccompProfile> {
  return JSON.parse(await readFile(path, 'utf8'))
}
