/** Where this process may create cgroups: one folder in version 2, one folder per controller in version 1. */
export type Hierarchy =
  | { readonly kind: 'v2'; readonly folder: string }
  | { readonly kind: 'v1'; readonly memory: string; readonly pids: string; readonly cpu?: string }

interface Mount {
  readonly root: string
  readonly point: string
  readonly type: string
  readonly options: readonly string[]
}

/** Finds the folders from /proc/self/cgroup and /proc/self/mountinfo. Version 2 comes first where both exist. */
export function findHierarchies(cgroup: string, mountinfo: string): readonly Hierarchy[] {
  const mounts = mountinfo.split('\n').flatMap(parseMount)
  const memberships = cgroup.split('\n').flatMap(parseMembership)
  const found: Hierarchy[] = []

  const unified = mounts.find(({ type }) => type === 'cgroup2')
  const own = memberships.find(({ controllers }) => controllers.length === 0)
  if (unified && own) found.push({ kind: 'v2', folder: folderOf(unified, own.path) })

  const [memory, pids, cpu] = ['memory', 'pids', 'cpu'].map((controller) => {
    const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))
    const member = memberships.find(({ controllers }) => controllers.includes(controller))
    return mount && member ? folderOf(mount, member.path) : undefined
  })
  if (memory && pids) found.push({ kind: 'v1', memory, pids, ...(cpu === undefined ? {} : { cpu }) })
  return found
}

// 36 35 0:31 /root /mount/point rw,relatime shared:1 - cgroup cgroup rw,memory
function parseMount(line: string): readonly Mount[] {
  const [before, after] = line.split(' - ')
  const [, , , root, point] = before?.split(' ') ?? []
  const [type, , options] = after?.split(' ') ?? []
  if (root === undefined || point === undefined || type === undefined) return []
  return [{ root, point, type, options: options?.split(',') ?? [] }]
}

// 4:memory:/some/path, or 0::/some/path in version 2
function parseMembership(line: string): readonly { controllers: readonly string[]; path: string }[] {
  const [, controllers, ...path] = line.split(':')
  if (controllers === undefined || path.length === 0) return []
  return [{ controllers: controllers.split(',').filter(Boolean), path: path.join(':') }]
}

// In a container the mount may show only part of the tree, while the membership may name the full path.
function folderOf({ root, point }: Mount, path: string): string {
  const inside = root !== '/' && path.startsWith(root) ? path.slice(root.length) : path
  return inside === '/' || inside === '' ? point : `${point}${inside.startsWith('/') ? '' : '/'}${inside}`
}
