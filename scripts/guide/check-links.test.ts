import { expect, it } from 'vitest'
import { findDeadLinks } from './check-links.ts'

const pages = new Map([
  [
    'index.html',
    '<a href="/guide/jobs/#wait"></a><a href="/guide/jobs/#run"></a><a href="/docs"></a><a href="jobs.md"></a>',
  ],
  ['jobs/index.html', '<h2 id="wait"></h2><a href="#wait"></a><a href="#none"></a><a href="/guide/none/"></a>'],
])

it('names links to pages and headings that do not exist, and relative ones', () => {
  expect(findDeadLinks(pages, new Set(pages.keys()), '/guide')).toEqual([
    'index.html: /guide/jobs/#run',
    'index.html: jobs.md',
    'jobs/index.html: #none',
    'jobs/index.html: /guide/none/',
  ])
})
