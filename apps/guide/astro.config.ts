import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import { sections } from './src/site/sections.ts'

const sidebar = sections.map(({ label, isCollapsed = false, pages }) => ({
  label,
  collapsed: isCollapsed,
  items: pages.map(({ slug, label: own }) => (own === undefined ? slug : { slug, label: own })),
}))

/** The guide: static pages that load nothing from other hosts. `npm run docs:build` builds it. */
export default defineConfig({
  base: '/guide',
  trailingSlash: 'always',
  cacheDir: '../../.lathe/astro',
  devToolbar: { enabled: false },
  build: { inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: 'Lathe',
      description: 'Convert files on your own machines: guides, API and operation of Lathe.',
      logo: { src: '../web/public/icon.svg', alt: '' },
      favicon: '/icon.svg',
      sidebar,
      customCss: ['./src/styles/theme.css'],
      markdown: { processedDirs: ['../../docs', '../../packages/sdk', '../../apps/cli'] },
      credits: false,
      social: [
        { icon: 'open-book', label: 'API reference', href: '/docs' },
        { icon: 'right-arrow', label: 'Converter', href: '/' },
      ],
      // Shows commands without a terminal frame.
      expressiveCode: { defaultProps: { overridesByLang: { sh: { frame: 'none' } } } },
      pagination: true,
      head: [
        { tag: 'link', attrs: { rel: 'alternate', type: 'text/plain', title: 'llms.txt', href: '/guide/llms.txt' } },
      ],
    }),
  ],
})
