/** Links between pages that lead nowhere, as `page: link`. Pages are named by file, such as `jobs/index.html`. */
export function findDeadLinks(pages: ReadonlyMap<string, string>, files: ReadonlySet<string>, base: string): string[] {
  const ids = new Map([...pages].map(([name, html]) => [name, idsOf(html)]))
  return [...pages].flatMap(([name, html]) => {
    const links = new Set([...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link))
    return [...links].filter((link) => !leadsSomewhere(link, name)).map((link) => `${name}: ${link}`)
  })

  function leadsSomewhere(link: string, from: string): boolean {
    if (link.startsWith('#')) return hasTarget(from, link.slice(1))
    // Other pages of the service and other sites are allowed. Anything else would be a relative link, which pages never
    // use.
    if (!link.startsWith(`${base}/`)) return /^(\/|https?:|mailto:)/.test(link)
    const [path = '', anchor = ''] = link.slice(base.length + 1).split('#')
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
    return files.has(file) && (anchor === '' || hasTarget(file, anchor))
  }

  function hasTarget(file: string, anchor: string): boolean {
    return anchor === '' || ids.get(file)?.has(decodeURIComponent(anchor)) === true
  }
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))
}
