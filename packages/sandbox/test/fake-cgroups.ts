import { basename, dirname } from 'node:path'
import type { CgroupFiles } from '../src/cgroup-files.ts'

interface Group {
  readonly pids: number[]
  readonly values: Map<string, string>
  readonly controllers: Set<string>
}

export interface FakeCgroups {
  readonly files: CgroupFiles
  /** The value written to a file of a group, or undefined. */
  value(path: string): string | undefined
  readonly groups: ReadonlyMap<string, Group>
}

const needs: Readonly<Record<string, string>> = {
  'memory.max': 'memory',
  'memory.swap.max': 'memory',
  'memory.oom.group': 'memory',
  'pids.max': 'pids',
  'cpu.max': 'cpu',
  'cpu.weight': 'cpu',
}

/**
 * A version 2 tree that behaves like the kernel's: a group has only the files of controllers that its parent enables,
 * can enable none while it holds processes itself, and cannot be removed while it is not empty.
 */
export function createFakeCgroups(root: string, available: readonly string[], pids: readonly number[]): FakeCgroups {
  const groups = new Map<string, Group>()
  const add = (path: string, members: readonly number[]) =>
    groups.set(path, { pids: [...members], values: new Map(), controllers: new Set() })
  add(root, pids)
  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code })
  }
  const groupOf = (path: string) => groups.get(path) ?? fail('ENOENT')
  const below = (path: string) => [...groups.keys()].filter((other) => dirname(other) === path && other !== path)
  const handedTo = (path: string) => (path === root ? new Set(available) : groupOf(dirname(path)).controllers)

  function handDown(path: string, text: string): void {
    const wanted = text.split(' ').map((word) => word.slice(1))
    if (wanted.some((name) => !handedTo(path).has(name))) fail('ENOENT')
    if (groupOf(path).pids.length > 0) fail('EBUSY')
    for (const name of wanted) groupOf(path).controllers.add(name)
  }

  function enter(path: string, pid: number): void {
    for (const group of groups.values()) {
      const at = group.pids.indexOf(pid)
      if (at >= 0) group.pids.splice(at, 1)
    }
    groupOf(path).pids.push(pid)
  }

  const files: CgroupFiles = {
    async read(path) {
      const group = groupOf(dirname(path))
      return basename(path) === 'cgroup.procs'
        ? group.pids.join('\n')
        : (group.values.get(basename(path)) ?? fail('ENOENT'))
    },
    async write(path, text) {
      const [folder, file] = [dirname(path), basename(path)]
      const controller = needs[file]
      if (file === 'cgroup.subtree_control') handDown(folder, text)
      else if (file === 'cgroup.procs') enter(folder, Number(text))
      else if (file === 'cgroup.kill') groupOf(folder).pids.length = 0
      else if (controller === undefined || !handedTo(folder).has(controller)) fail('ENOENT')
      groupOf(folder).values.set(file, text)
    },
    async makeFolder(path) {
      if (groups.has(path)) fail('EEXIST')
      groupOf(dirname(path))
      add(path, [])
    },
    async removeFolder(path) {
      if (groupOf(path).pids.length > 0 || below(path).length > 0) fail('EBUSY')
      groups.delete(path)
    },
    async list(path) {
      groupOf(path)
      return below(path).map((folder) => ({ name: basename(folder), isFolder: true }))
    },
  }
  return { files, groups, value: (path) => groups.get(dirname(path))?.values.get(basename(path)) }
}
