import { readFile } from 'node:fs/promises'

/** A seccomp profile as container engines read it, as far as it is changed here. */
interface Profile {
  readonly syscalls: readonly Rule[]
}

interface Rule {
  readonly names: readonly string[]
  readonly action: string
  readonly args?: readonly object[] | null
  readonly errnoRet?: number
  readonly includes?: { readonly caps?: readonly string[] }
  readonly excludes?: object
}

/** Podman's default profile, as Debian ships it. */
export const podmanDefault = '/usr/share/containers/seccomp.json'

/** What a sandbox needs beyond Docker's default profile. */
export const neededCalls = ['clone', 'unshare', 'mount', 'umount2', 'pivot_root', 'sethostname'] as const

// Docker allows these only with CAP_SYS_ADMIN, and pivot_root never.
const privileged = ['unshare', 'mount', 'umount', 'umount2', 'setns', 'sethostname']
const refused = [...privileged, 'clone', 'clone3', 'pivot_root']
// CLONE_NEW* of linux/sched.h.
const namespaceFlags = 0x7e02_0000

/** Docker's default profile, made from Podman's by taking away in what Docker is stricter. */
export async function dockerDefault(): Promise<Profile> {
  const profile = JSON.parse(await readFile(podmanDefault, 'utf8')) as Profile
  const kept = profile.syscalls.map((rule) => ({
    ...rule,
    names: rule.names.filter((name) => !refused.includes(name)),
  }))
  const withoutNamespaces = { index: 0, value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }
  const caps = { includes: { caps: ['CAP_SYS_ADMIN'] } }
  return {
    ...profile,
    syscalls: [
      ...kept.filter(({ names }) => names.length > 0),
      { names: ['clone'], action: 'SCMP_ACT_ALLOW', args: [withoutNamespaces] },
      { names: ['clone', ...privileged], action: 'SCMP_ACT_ALLOW', args: [], ...caps },
    ],
  }
}

/** The same with the calls a sandbox needs: what a worker is shipped with. */
export async function dockerWithNeeded(): Promise<Profile> {
  const { syscalls, ...profile } = await dockerDefault()
  return { ...profile, syscalls: [...syscalls, { names: neededCalls, action: 'SCMP_ACT_ALLOW', args: [] }] }
}
