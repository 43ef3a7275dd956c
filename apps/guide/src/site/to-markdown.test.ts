import { expect, it } from 'vitest'
import { linkMarkdown, toMarkdown } from './to-markdown.ts'

const mdx = `import { Tabs } from 'x'

Text.

{/* not run: why */}
\`\`\`sh
import # stays
\`\`\`

<Tabs syncKey="client">
<TabItem label="curl">

one

</TabItem>
</Tabs>

{/* test ts
const hidden = 1
*/}

<CardGrid>
  <LinkCard title="Jobs" href="/guide/jobs/" description="Several tasks" />
</CardGrid>
`

it('shows what readers of the page see, without components', () => {
  expect(toMarkdown(mdx).split(/\n+/)).toEqual([
    'Text.',
    '```sh',
    'import # stays',
    '```',
    '**curl**',
    'one',
    '- [Jobs](/guide/jobs/): Several tasks',
  ])
})

it('links pages to each other as Markdown', () => {
  expect(linkMarkdown('[a](/guide/jobs/#wait) [b](/guide/) [c](/docs)')).toBe(
    '[a](/guide/jobs.md#wait) [b](/guide/index.md) [c](/docs)',
  )
})
