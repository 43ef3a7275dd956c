import { Type } from 'typebox'
import { filename, webAddress } from '../fields.ts'

const { Optional } = Type

/** The limits of the window of a web page, in pixels, and of the wait for the page. */
export const pageBounds = { leastSide: 64, mostSide: 4096, waitMs: 10_000 } as const

/** The default window of a page and the default wait. */
export const pageDefaults = { width: 1280, height: 800, waitMs: 2000 } as const

const side = (name: string, usual: number) =>
  Optional(
    Type.Integer({
      minimum: pageBounds.leastSide,
      maximum: pageBounds.mostSide,
      default: usual,
      description: `${name} of the browser window in pixels. Default: ${usual}.`,
    }),
  )

/** Which page a browser opens, in which window, and how long it waits for it. */
export const pageFields = {
  url: webAddress('http or https URL of the page.'),
  filename: Optional(filename),
  viewport_width: side('Width', pageDefaults.width),
  viewport_height: side('Height', pageDefaults.height),
  wait_ms: Optional(
    Type.Integer({
      minimum: 0,
      maximum: pageBounds.waitMs,
      default: pageDefaults.waitMs,
      description: `Milliseconds to wait for further requests of the page after it has loaded. Default: ${pageDefaults.waitMs}.`,
    }),
  ),
}

/** The CSS media type of a page. */
export function mediaField(usual: string) {
  return Optional(Type.Enum(['screen', 'print'], { description: `CSS media type of the page. Default: ${usual}.` }))
}
