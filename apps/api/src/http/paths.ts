/** The methods of each path, so that a wrong method gets 405 and not 404. */
export interface PathTable {
  add(method: string, pattern: string): void
  /** The methods of a path, empty if there is no such path. */
  methodsOf(path: string): readonly string[]
}

/** Matches paths with `:name` parameters; a trailing slash makes no difference. */
export function createPathTable(): PathTable {
  const table = new Map<string, { match: RegExp; methods: Set<string> }>()
  return {
    add(method, pattern) {
      const entry = table.get(pattern) ?? { match: toRegExp(pattern), methods: new Set() }
      entry.methods.add(method)
      table.set(pattern, entry)
    },
    methodsOf(path) {
      const matches = [...table.values()].filter(({ match }) => match.test(path))
      return [...new Set(matches.flatMap(({ methods }) => [...methods]))].sort()
    },
  }
}

function toRegExp(pattern: string): RegExp {
  const segments = pattern.split('/').filter((segment) => segment !== '')
  const parts = segments.map((segment) => (segment.startsWith(':') ? '[^/]+' : escapeText(segment)))
  return new RegExp(`^/${parts.join('/')}/?$`)
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Removes trailing slashes. A regular expression would be tried at each of a million slashes. */
export function trimSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}
