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
import { bytes, count, type LimitGroup, seconds, threeSteps, unmeasured } from './limit.ts'
import { maxParts } from './runner-numbers.ts'

const importer = 'packages/connectors/src/webpage/webpage.int.test.ts: import/webpage'
const allowance = 'packages/outbound/src/proxy/allowance.test.ts: the allowance of a proxy'
const proxy = 'packages/outbound/src/proxy/open-proxy.int.test.ts: a proxy'
const bounds = 'packages/contract/src/parse/imports.test.ts: import/webpage > takes %s within its bounds'
const browser = 'packages/engines/src/browser/browser.int.test.ts'
const asked =
  'packages/connectors/src/webpage/capture-request.test.ts: what a browser is asked for > leaves time for the browser itself'
const drawn = 'a stored page > is drawn to its end or cut at 16,384 pixels'
const capture = 'packages/connectors/src/webpage/capture.int.test.ts'
const captureAsked =
  'packages/connectors/src/webpage/capture-request.test.ts: what a browser is asked for > leaves time to print or draw what was waited for longest'
const captureFields = 'packages/contract/src/parse/imports.test.ts: capture'
const steps = (title: string) => ['one below', 'the limit', 'one above'].map((step) => `${title}: ${step}`)
const filling = 'packages/engines/src/browser/html.test.ts'

/** Limits of web pages that are imported or converted. */
export const webPages: LimitGroup = {
  title: 'Web pages',
  limits: [
    {
      id: 'L-page-requests',
      name: 'Requests and tunnels of a page that is imported',
      value: count(defaultProxyLimits.requests),
      beyond: 'The rest of the page is left out, with a warning. Requests inside a tunnel (HTTPS) are not counted.',
      tests: [
        `${allowance} > of 500 requests, %i made: %s`,
        `${proxy} > refuses requests beyond their number`,
        `${importer} > leaves out what exceeds its limits, with a warning`,
      ],
      real: unmeasured.network,
    },
    {
      id: 'L-page-bytes',
      name: 'Bytes sent and received for a page that is imported',
      value: bytes(defaultProxyLimits.bytes),
      beyond: 'The rest of the page is left out, with a warning.',
      tests: [
        `${allowance} > of 100 MB, %i bytes passed: %s`,
        `${proxy} > aborts transfers over the byte limit, in a tunnel as well`,
        `${allowance} > is used up permanently, for both`,
      ],
      real: unmeasured.network,
    },
    {
      id: 'L-page-time',
      name: 'Time of the browser for one imported page',
      value: seconds(browserLimits.timeMs / 1000),
      beyond: 'The task fails with `engine_timeout`. Ask for a shorter `wait_ms`.',
      tests: [`${importer} > ends with its deadline when a page computes without end`],
      real: unmeasured.time,
    },
    {
      id: 'L-page-time',
      name: 'Time of the browser for one captured page',
      value: seconds(captureLimits.timeMs / 1000),
      beyond: 'The task fails with `engine_timeout`. Ask for a shorter `wait_ms`, or for fewer pages.',
      tests: [`${capture}: capture > ends with its deadline when a page computes without end`, captureAsked],
      real: unmeasured.time,
    },
    {
      id: 'L-page-time',
      name: 'Time until an element matches `wait_for`',
      value: seconds(captureBounds.waitForMs / 1000),
      beyond: 'The page is taken as it is by then, with a warning.',
      tests: [`${capture}: wait_for > captures a page without the element after the timeout, with a warning`],
      real: unmeasured.network,
    },
    {
      id: 'L-page-time',
      name: 'Time a captured page is scrolled through, so that it loads what it loads only when it is seen',
      value: seconds(scrollMs / 1000),
      beyond: 'The page is taken as it is by then.',
      tests: [`${capture}: capture > shows pictures that load only when they are seen, in images and on paper`],
      real: unmeasured.network,
    },
    {
      id: 'L-page-selector',
      name: 'Characters of `wait_for`',
      value: count(captureBounds.selectorChars),
      beyond: 'The request is refused with `invalid_request`.',
      tests: steps(`${captureFields} > characters of wait_for, 500`),
      real: unmeasured.request,
    },
    {
      id: 'L-page-header',
      name: 'Characters of the `header` or `footer` of a captured page',
      value: count(captureBounds.headerChars),
      beyond: 'The request is refused with `invalid_request`.',
      tests: steps(`${captureFields} > characters of a header or footer, 200`),
      real: unmeasured.request,
    },
    {
      id: 'L-page-time',
      name: 'Time of the browser for one converted page',
      value: seconds(browserStepLimits.timeMs / 1000),
      beyond: 'The task fails with `engine_timeout`. Split the page.',
      tests: ['scripts/generate/limits/engines.test.ts: every step of every plan > is stated as it is used'],
      real: unmeasured.time,
    },
    {
      id: 'L-page-time',
      name: 'Time until an imported page begins to arrive',
      value: seconds(pagePatience.openMs / 1000),
      beyond: 'The task fails with `source_unreachable`. Try again later.',
      tests: [asked],
      real: unmeasured.network,
    },
    {
      id: 'L-page-time',
      name: 'Time until an imported page has loaded',
      value: seconds(pagePatience.loadMs / 1000),
      beyond: 'The page is taken as it is by then.',
      tests: [asked],
      real: unmeasured.network,
    },
    {
      id: 'L-page-time',
      name: 'Longest `wait_ms`, in milliseconds',
      value: count(pageBounds.waitMs),
      beyond: 'The request is refused with `invalid_request`.',
      tests: [bounds],
      real: unmeasured.request,
    },
    {
      id: 'L-page-window',
      name: 'Smallest side of the window for a page, in pixels',
      value: count(pageBounds.leastSide),
      beyond: 'The request is refused with `invalid_request`.',
      tests: [bounds],
      real: unmeasured.request,
    },
    {
      id: 'L-page-window',
      name: 'Largest side of the window for a page, in pixels',
      value: count(pageBounds.mostSide),
      beyond: 'The request is refused with `invalid_request`.',
      tests: [
        `${importer} > is as wide as the payload says, made up for print, and waits for what comes later`,
        `${browser}: a stored page > is drawn as far as the window shows it`,
      ],
      real: unmeasured.request,
    },
    {
      id: 'L-page-height',
      name: 'Height of an image of a whole page, in pixels',
      value: count(pageLimits.height),
      beyond: 'The image ends there, with a warning. Convert the page to PDF to get all of it.',
      tests: [
        ...steps(`${browser}: ${drawn}`),
        `${capture}: capture > crops an image that would be too long, with a warning`,
      ],
      real: 'pagePixels',
    },
    {
      id: 'L-page-parts',
      name: 'Parts of a stored page (MHTML)',
      value: count(maxParts),
      beyond: 'The task fails with `limit_exceeded`. Save the page again without its attachments.',
      tests: threeSteps('packages/engines/src/browser/mhtml.test.ts', 'parts of a stored page, 10,000'),
      real: 'storedPageParts',
    },
    {
      id: 'L-page-html',
      name: 'Size of the parts of a page as one HTML file',
      value: bytes(pageLimits.htmlBytes),
      beyond: 'The task fails with `limit_exceeded`. Convert the page to PDF.',
      tests: [
        `${filling}: bytes of the parts of a page, 256 MiB > is the limit that a page is checked against`,
        ...threeSteps(filling, 'bytes of the parts of a page, 256 MiB'),
        `${browser}: a hostile page > that names one large part without end is refused while it grows`,
      ],
      real: unmeasured.option,
    },
  ],
}
