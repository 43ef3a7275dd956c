import { Type } from 'typebox'
import { filename, webAddress } from '../fields.ts'

const { Optional } = Type

/** What may be asked of the window of a web page, in pixels, and how long it may be waited for. */
export const pageBounds = { leastSide: 64, mostSide: 4096, waitMs: 10_000 } as const

const side = (description: string) =>
  Optional(Type.Integer({ minimum: pageBounds.leastSide, maximum: pageBounds.mostSide, description }))

/** Which page a browser opens, in which window, and how long it waits for it. */
export const pageFields = {
  url: webAddress('http or https URL of the page.'),
  filename: Optional(filename),
  viewport_width: side('Width of the window in pixels; 1280 when absent.'),
  viewport_height: side('Height of the window in pixels; 800 when absent.'),
  wait_ms: Optional(
    Type.Integer({
      minimum: 0,
      maximum: pageBounds.waitMs,
      description: 'Milliseconds to wait for further requests of the page after it has loaded; 2000 when absent.',
    }),
  ),
}

/** What a page is made up for. */
export function mediaField(usual: string) {
  return Optional(Type.Enum(['screen', 'print'], { description: `CSS media type of the page; ${usual} when absent.` }))
}
