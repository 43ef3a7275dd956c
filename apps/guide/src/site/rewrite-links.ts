import { posix } from 'node:path'

/** Where the site is served. */
export const base = '/guide'

// Files that a running service has under a path of its own.
const served: ReadonlyMap<string, string> = new Map([['docs/api/openapi.json', '/openapi.json']])

// A fenced block, a link, or a code span; only links have a label.
const fenceLinkOrCode = /^```[\s\S]*?^```$|(?<!!)\[((?:[^\]`]|`[^`]*`)+)\]\(([^)\s]+)\)|`[^`\n]+`/gm

/**
 * Makes links between files of the repository into links between pages. The text of a link to a file that is no page stays
 * without the link. Code is left alone.
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
