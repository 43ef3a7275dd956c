import { type Html, html } from './html.ts'

/** Renders the Markdown that descriptions use: paragraphs, headings, lists and code. */
export function renderText(text: string): readonly Html[] {
  return text.split('\n\n').map((block) => {
    if (block.startsWith('## ')) return html`<h2>${renderLine(block.slice(3))}</h2>`
    if (!block.startsWith('- ')) return html`<p>${renderLine(block)}</p>`
    const items = block.split('\n').map((line) => html`<li>${renderLine(line.slice(2))}</li>`)
    return html`<ul>${items}</ul>`
  })
}

/** Renders one line; every second part between backticks is code. */
export function renderLine(text: string): readonly Html[] {
  return text.split('`').map((part, n) => (n % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}
