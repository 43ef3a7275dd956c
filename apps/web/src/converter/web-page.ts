import type { Item } from './item.ts'

/** What a URL of a web page is converted from: the page as a browser shows it, not the file behind it. */
export const webPage = { source: 'url', kind: 'page' } as const

/** The formats that the service makes of a page in its browser. It makes the others of the HTML file. */
export const captured: readonly string[] = ['pdf', 'png', 'jpg', 'mhtml']

/** Whether a web page is opened in a browser to become a format. */
export function isCaptured({ kind }: Pick<Item, 'kind'>, target: string | undefined): boolean {
  return kind === webPage.kind && captured.includes(target ?? '')
}
