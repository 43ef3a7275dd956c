import { base, outsideCode } from './rewrite-links.ts'

/** The text of a page of ours as plain Markdown: components become what they show. */
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

/** Makes links between pages into links between their Markdown versions. */
export function linkMarkdown(markdown: string): string {
  return outsideCode(markdown, (prose) =>
    prose.replaceAll(
      new RegExp(`\\]\\(${base}/([^)#]*?)/?(#[^)]*)?\\)`, 'g'),
      (_link, slug: string, anchor = '') => `](${base}/${slug === '' ? 'index' : slug}.md${anchor})`,
    ),
  )
}
