import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from './rows.ts'
import { dockerDefault, shippedProfile } from './seccomp-profiles.ts'

const needed = ['clone', 'unshare', 'mount', 'umount2', 'pivot_root', 'sethostname']
/** In the form of Debian's file, with a few of its calls. */
const defaults = {
  defaultAction: 'SCMP_ACT_ERRNO',
  defaultErrnoRet: 38,
  defaultErrno: 'ENOSYS',
  syscalls: [
    { names: ['bdflush', 'pivot_root'], action: 'SCMP_ACT_ERRNO', args: [], errnoRet: 1, errno: 'EPERM' },
    { names: ['clone', 'clone3', 'mount', 'read', 'umount2', 'unshare'], action: 'SCMP_ACT_ALLOW', args: [] },
    { names: ['setns'], action: 'SCMP_ACT_ALLOW', args: [], includes: { caps: ['CAP_SYS_ADMIN'] } },
  ],
}

describe('the seccomp profiles of the containers in which a worker is tested', () => {
  let folder: string
  let from: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lathe-seccomp-'))
    from = join(folder, 'seccomp.json')
    writeFileSync(from, JSON.stringify(defaults))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('are the shipped one wherever a worker is expected to run in Docker', async () => {
    const into = join(folder, 'seccomp-worker.json')
    // As in the Dockerfile.
    const program = fileURLToPath(new URL('../../../scripts/images/seccomp.ts', import.meta.url))
    execFileSync(process.execPath, [program, from, into])
    expect(await shippedProfile(from)).toEqual(JSON.parse(readFileSync(into, 'utf8')))
    expect(rows.filter(({ seccomp }) => seccomp === 'shipped').length).toBeGreaterThan(3)
  })

  it("block what a sandbox needs with Docker's default profile, unless the container has a capability", async () => {
    const { syscalls } = await dockerDefault(from)
    const unconditional = syscalls.filter((rule) => {
      const { args = [], includes } = rule as { args?: readonly object[]; includes?: object }
      return rule.action === 'SCMP_ACT_ALLOW' && args.length === 0 && includes === undefined
    })
    expect(unconditional.flatMap(({ names }) => names)).toEqual(['read'])
    expect(rows.filter(({ seccomp }) => seccomp === 'docker').map(({ expected }) => expected)).toEqual(
      Array(4).fill('refused'),
    )
  })

  it('allow the calls that a sandbox needs with the shipped profile, each by one rule', async () => {
    const { syscalls } = await shippedProfile(from)
    for (const call of needed)
      expect(syscalls.filter(({ names }) => names.includes(call))).toEqual([
        { names: needed, action: 'SCMP_ACT_ALLOW' },
      ])
  })
})
