/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | false | readonly Part[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Builds HTML: escapes all values except Html. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, n) => text + toText(parts[n])).join(''))
}

function toText(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(toText).join('')
  return String(part).replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
}
