import { type Page, read, readRepositoryPages, slugsByFile } from './repository.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { sections } from './sections.ts'
import { linkMarkdown, toMarkdown } from './to-markdown.ts'

const own = ['index', ...sections.flatMap(({ pages }) => pages.flatMap(({ slug, source }) => (source ? [] : [slug])))]

/** Every page of the site as Markdown. */
export function readPages(): readonly Page[] {
  const written = own.map((slug) => readOwnPage(slug))
  const rendered = readRepositoryPages().map((page) => ({
    ...page,
    body: linkMarkdown(toMarkdown(rewriteLinks(page.body, page.file, slugsByFile))),
  }))
  return [...written, ...rendered]
}

function readOwnPage(slug: string): Page {
  const file = `apps/guide/src/content/docs/${slug}.mdx`
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(file)) ?? []
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1]
  const title = field('title')
  if (title === undefined) throw new Error(`${file} has no title`)
  return { slug, title, description: field('description'), body: linkMarkdown(toMarkdown(body)), file }
}
