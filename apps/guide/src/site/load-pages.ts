import { docsLoader } from '@astrojs/starlight/loaders'
import type { Loader } from 'astro/loaders'
import { readRepositoryPages, slugsByFile, urlOf } from './repository.ts'
import { rewriteLinks } from './rewrite-links.ts'

/** Loads the pages of `src/content/docs`, and those that come from files of the repository. */
export function loadPages(): Loader {
  const own = docsLoader()
  return {
    name: 'lathe-pages',
    async load(context) {
      await own.load(context)
      for (const { slug, title, file, body: text } of readRepositoryPages()) {
        const body = rewriteLinks(text, file, slugsByFile)
        const data = await context.parseData({ id: slug, data: { title, tableOfContents: tableOfContentsOf(body) } })
        const rendered = await context.renderMarkdown(body, { fileURL: urlOf(file) })
        context.store.set({ id: slug, data, body, rendered, digest: context.generateDigest({ title, body }) })
      }
    },
  }
}

// A list of hundreds of headings is not useful.
function tableOfContentsOf(body: string) {
  const headings = body.match(/^## /gm)?.length ?? 0
  return headings > 60 ? false : { minHeadingLevel: 2, maxHeadingLevel: 3 }
}
