import { describe, expect, it } from 'vitest'
import { findHierarchies } from './cgroup-hierarchy.ts'

const v1Mounts = `25 20 0:23 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
26 25 0:24 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
27 25 0:25 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
28 25 0:26 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`

describe('the parent of cgroups', () => {
  it('is found if both versions are mounted, the second first', () => {
    expect(findHierarchies('4:memory:/a/b\n8:pids:/\n0::/', v1Mounts)).toEqual([
      { kind: 'v2', folder: '/sys/fs/cgroup/unified' },
      { kind: 'v1', memory: '/sys/fs/cgroup/memory/a/b', pids: '/sys/fs/cgroup/pids' },
    ])
  })

  it('is the own cgroup on a version 2 host', () => {
    const mounts = '30 20 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate'
    expect(findHierarchies('0::/system.slice/lathe.service\n', mounts)).toEqual([
      { kind: 'v2', folder: '/sys/fs/cgroup/system.slice/lathe.service' },
    ])
  })

  it('is the mount itself in a container that sees its part of the tree only', () => {
    const mounts =
      '30 20 0:26 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n31 20 0:27 /docker/abc /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids'
    expect(findHierarchies('4:memory:/docker/abc\n8:pids:/docker/abc', mounts)).toEqual([
      { kind: 'v1', memory: '/sys/fs/cgroup/memory', pids: '/sys/fs/cgroup/pids' },
    ])
  })

  it('includes the CPU accounting controller, under whichever name it is mounted', () => {
    const mounts = `${v1Mounts}\n29 25 0:27 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct`
    expect(findHierarchies('4:memory:/\n8:pids:/\n2:cpu,cpuacct:/a', mounts)).toEqual([
      {
        kind: 'v1',
        memory: '/sys/fs/cgroup/memory',
        pids: '/sys/fs/cgroup/pids',
        cpu: '/sys/fs/cgroup/cpu,cpuacct/a',
      },
    ])
  })

  it('is undefined if nothing is mounted', () => {
    expect(findHierarchies('0::/', '')).toEqual([])
  })
})
