import { expect, it } from 'vitest'
import { adaptStyleSheet, moveInline } from './move-inline.ts'

const move = (html: string) => {
  const { pages, files } = moveInline(new Map([['index.html', html]]), '/guide/_astro')
  return { html: pages.get('index.html') ?? '', files }
}

it('moves a script into a file that the page loads in its place', () => {
  const { html, files } = move('<head></head><script aria-hidden="true">a()</script><script src="/b.js"></script>')
  const [, file = ''] =
    /<script aria-hidden="true" src="\/guide\/_astro\/(inline\.\w+\.js)"><\/script>/.exec(html) ?? []
  expect(files.get(file)).toBe('a()')
  expect(html).toContain('<script src="/b.js"></script>')
})

it('makes style attributes into classes, the same for the same style', () => {
  const { html, files } = move(
    '<head></head><li style="--depth: 0;"></li><a class="x" style="--depth: 0;" title="a>b"></a>',
  )
  const [, name = ''] = /<li class="(inline-\w+)">/.exec(html) ?? []
  expect(html).toContain(`<a class="x ${name}" title="a>b">`)
  expect(html).not.toContain('style=')
  const [css] = [...files].filter(([file]) => file.endsWith('.css'))
  expect(css?.[1]).toBe(`.${name}{--depth: 0;}`)
  expect(html).toContain(`href="/guide/_astro/${css?.[0]}"`)
})

it('leaves text alone that only looks like a tag, and shows what a script would show', () => {
  const { html } = move('<head></head><code>&lt;p style="x"></code><kbd style="display: none;">K</kbd>')
  expect(html).toContain('<code>&lt;p style="x"></code><kbd>K</kbd>')
})

it('lets the highlighter find its spans by class', () => {
  expect(adaptStyleSheet(".ec-line :where(span[style^='--']:not([class])){}")).toBe(
    ".ec-line :where(span[class^='inline-']){}",
  )
})
