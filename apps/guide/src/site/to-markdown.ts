import { base, outsideCode } from './rewrite-links.ts'

/** The text of one of our pages as plain Markdown: components are replaced by what they show. */
export function toMarkdown(mdx: string): string {
  return outsideCode(mdx, (prose) =>
    prose
      .replaceAll(/^import .*\n/gm, '')
      .replaceAll(/^(\{\/\*[\s\S]*?\*\/\}|<!--.*-->)\n/gm, '')
      .replaceAll(/^<TabItem label="([^"]+)">$/gm, '**$1**')
      .replaceAll(/^ *<LinkCard title="([^"]+)" href="([^"]+)" description="([^"]+)" \/>/gm, '- [$1]($2): $3')
      .replaceAll(/^<\/?(Tabs|TabItem|CardGrid|Steps|FileTree)[^>]*>\n?/gm, ''),
  )
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Converts links between pages to links between their Markdown versions. */
export function linkMarkdown(markdown: string): string {
  return outsideCode(markdown, (prose) =>
    prose.replaceAll(
      new RegExp(`\\]\\(${base}/([^)#]*?)/?(#[^)]*)?\\)`, 'g'),
      (_link, slug: string, anchor = '') => `](${base}/${slug === '' ? 'index' : slug}.md${anchor})`,
    ),
  )
}
