import {
  browserLimits,
  captureLimits,
  pagePatience,
  scrollMs,
} from '../../../packages/connectors/src/webpage/limits.ts'
import { browserStepLimits, pageLimits } from '../../../packages/engines/src/printing/limits.ts'
import { captureBounds } from '../../../packages/operations/src/connectors/capture.ts'
import { pageBounds } from '../../../packages/operations/src/connectors/page-fields.ts'
import { defaultProxyLimits } from '../../../packages/outbound/src/config.ts'
import { bytes, count, type LimitGroup, seconds, unmeasured } from './limit.ts'
import { maxParts } from './runner-numbers.ts'

/** Limits of web pages that are imported or converted. */
export const webPages: LimitGroup = {
  title: 'Web pages',
  limits: [
    {
      id: 'L-page-requests',
      name: 'Requests and tunnels of a page that is imported',
      value: count(defaultProxyLimits.requests),
      beyond: 'The rest of the page is left out, with a warning. Requests inside a tunnel (HTTPS) are not counted.',
      real: unmeasured.network,
    },
    {
      id: 'L-page-bytes',
      name: 'Bytes sent and received for a page that is imported',
      value: bytes(defaultProxyLimits.bytes),
      beyond: 'The rest of the page is left out, with a warning.',
      real: unmeasured.network,
    },
    {
      id: 'L-page-time',
      name: 'Time of the browser for one imported page',
      value: seconds(browserLimits.timeMs / 1000),
      beyond: 'The task fails with `engine_timeout`. Ask for a shorter `wait_ms`.',
      real: unmeasured.time,
    },
    {
      id: 'L-page-time',
      name: 'Time of the browser for one captured page',
      value: seconds(captureLimits.timeMs / 1000),
      beyond: 'The task fails with `engine_timeout`. Ask for a shorter `wait_ms`, or for fewer pages.',
      real: unmeasured.time,
    },
    {
      id: 'L-page-time',
      name: 'Time until an element matches `wait_for`',
      value: seconds(captureBounds.waitForMs / 1000),
      beyond: 'The page is taken as it is by then, with a warning.',
      real: unmeasured.network,
    },
    {
      id: 'L-page-time',
      name: 'Time a captured page is scrolled through, so that it loads what it loads only when it is seen',
      value: seconds(scrollMs / 1000),
      beyond: 'The page is taken as it is by then.',
      real: unmeasured.network,
    },
    {
      id: 'L-page-selector',
      name: 'Characters of `wait_for`',
      value: count(captureBounds.selectorChars),
      beyond: 'The request is refused with `invalid_request`.',
      real: unmeasured.request,
    },
    {
      id: 'L-page-header',
      name: 'Characters of the `header` or `footer` of a captured page',
      value: count(captureBounds.headerChars),
      beyond: 'The request is refused with `invalid_request`.',
      real: unmeasured.request,
    },
    {
      id: 'L-page-time',
      name: 'Time of the browser for one converted page',
      value: seconds(browserStepLimits.timeMs / 1000),
      beyond: 'The task fails with `engine_timeout`. Split the page.',
      real: unmeasured.time,
    },
    {
      id: 'L-page-time',
      name: 'Time until an imported page begins to arrive',
      value: seconds(pagePatience.openMs / 1000),
      beyond: 'The task fails with `source_unreachable`. Try again later.',
      real: unmeasured.network,
    },
    {
      id: 'L-page-time',
      name: 'Time until an imported page has loaded',
      value: seconds(pagePatience.loadMs / 1000),
      beyond: 'The page is taken as it is by then.',
      real: unmeasured.network,
    },
    {
      id: 'L-page-time',
      name: 'Longest `wait_ms`, in milliseconds',
      value: count(pageBounds.waitMs),
      beyond: 'The request is refused with `invalid_request`.',
      real: unmeasured.request,
    },
    {
      id: 'L-page-window',
      name: 'Smallest side of the window for a page, in pixels',
      value: count(pageBounds.leastSide),
      beyond: 'The request is refused with `invalid_request`.',
      real: unmeasured.request,
    },
    {
      id: 'L-page-window',
      name: 'Largest side of the window for a page, in pixels',
      value: count(pageBounds.mostSide),
      beyond: 'The request is refused with `invalid_request`.',
      real: unmeasured.request,
    },
    {
      id: 'L-page-height',
      name: 'Height of an image of a whole page, in pixels',
      value: count(pageLimits.height),
      beyond: 'The image ends there, with a warning. Convert the page to PDF to get all of it.',
      real: 'pagePixels',
    },
    {
      id: 'L-page-parts',
      name: 'Parts of a stored page (MHTML)',
      value: count(maxParts),
      beyond: 'The task fails with `limit_exceeded`. Save the page again without its attachments.',
      real: 'storedPageParts',
    },
    {
      id: 'L-page-html',
      name: 'Size of the parts of a page as one HTML file',
      value: bytes(pageLimits.htmlBytes),
      beyond: 'The task fails with `limit_exceeded`. Convert the page to PDF.',
      real: unmeasured.option,
    },
  ],
}
