import { posix } from 'node:path'

/** Where the site is served. */
export const base = '/guide'

// Files that a running service serves at its own path.
const served: ReadonlyMap<string, string> = new Map([
  ['docs/api/openapi.json', '/openapi.json'],
  ['docs/api/auth-openapi.json', '/auth-openapi.json'],
])

// A fenced block, a link, or a code span; only links have a label.
const fenceLinkOrCode = /^```[\s\S]*?^```$|(?<!!)\[((?:[^\]`]|`[^`]*`)+)\]\(([^)\s]+)\)|`[^`\n]+`/gm

/**
 * Converts links between files of the repository to links between pages. Links to files that are not pages become plain
 * text. Code is left unchanged.
 */
export function rewriteLinks(text: string, file: string, slugsByFile: ReadonlyMap<string, string>): string {
  return text.replaceAll(fenceLinkOrCode, (found: string, label?: string, target?: string) => {
    if (label === undefined || target === undefined || /^([a-z]+:|#|\/)/.test(target)) return found
    const [path = '', anchor] = target.split('#')
    const resolved = posix.join(posix.dirname(file), path)
    const slug = slugsByFile.get(resolved)
    const url = slug === undefined ? served.get(resolved) : `${base}/${slug}/`
    if (url === undefined) return label
    return `[${label}](${url}${anchor === undefined ? '' : `#${anchor}`})`
  })
}

/** Applies a change to everything but fenced blocks. */
export function outsideCode(text: string, change: (prose: string) => string): string {
  const parts = text.split(/(^```[\s\S]*?^```$)/m)
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : part)).join('')
}
