import { toInches } from '@lathe/engines'
import { printBounds } from '@lathe/operations'
import type { JsonObject } from '@lathe/sandbox'
import type { Asked } from '../connector.ts'

/** The space, in millimeters, that a header or footer needs at its edge of the page. */
export const headerMargin = 12

// The browser's default style makes letters too small to read, and begins at the edge of the page. More than two lines
// would overlap the content.
const style =
  'width:100%;box-sizing:border-box;padding:0 10mm;font:9px/1.2 sans-serif;text-align:center;' +
  'max-height:2.4em;overflow:hidden;overflow-wrap:anywhere'

// With an empty text the browser would print its default header and footer.
const nothing = '<span></span>'

type HeaderFields = Pick<Asked<'capture'>, 'header' | 'footer' | 'margin'>

/** The parameters of `Page.printToPDF` for headers and footers; empty if there are none. */
export function toHeaderFooter(fields: HeaderFields, now = new Date()): JsonObject {
  const { header, footer, margin = printBounds.margin.byDefault } = fields
  const edge = toInches(Math.max(margin, headerMargin))
  if (header === undefined && footer === undefined) return {}
  return {
    displayHeaderFooter: true,
    headerTemplate: header === undefined ? nothing : toTemplate(header, now),
    footerTemplate: footer === undefined ? nothing : toTemplate(footer, now),
    ...(header !== undefined && { marginTop: edge }),
    ...(footer !== undefined && { marginBottom: edge }),
  }
}

/** Plain text as the HTML that the browser takes. It also fills in its own values as text. */
function toTemplate(text: string, now: Date): string {
  const parts = text.split(/(\{[a-z]+\})/).map((part) => filled(part, now) ?? escaped(part))
  return `<div style="${style}">${parts.join('')}</div>`
}

// The browser's date has the US format and the time zone of the sandbox.
function filled(part: string, now: Date): string | undefined {
  if (part === '{date}') return now.toISOString().slice(0, 10)
  const name = { '{page}': 'pageNumber', '{pages}': 'totalPages', '{title}': 'title', '{url}': 'url' }[part]
  return name && `<span class="${name}"></span>`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
