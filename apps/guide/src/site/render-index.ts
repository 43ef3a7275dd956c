import { readPages } from './read-pages.ts'
import { base } from './rewrite-links.ts'
import { sections } from './sections.ts'

/** The pages by section, each with a link to its Markdown version. */
export function renderIndex(): string {
  const pages = new Map(readPages().map((page) => [page.slug, page]))
  const groups = sections.map(({ label, pages: entries }) => {
    const lines = entries.map(({ slug }) => {
      const { title = slug, description } = pages.get(slug) ?? {}
      return `- [${title}](${base}/${slug}.md)${description === undefined ? '' : `: ${description}`}`
    })
    return [`## ${label}`, '', ...lines].join('\n')
  })
  return [
    '# Lathe',
    '',
    '> An open, self-hosted file conversion service. Files are converted, compressed, merged, cropped and trimmed over HTTP.',
    '',
    'Every page is also Markdown: the address of the page with `.md`. The OpenAPI description is at `/openapi.json`.',
    '',
    `${groups.join('\n\n')}\n`,
  ].join('\n')
}
