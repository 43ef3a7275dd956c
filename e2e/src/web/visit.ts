import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** How the pages are viewed. */
export interface VisitOptions {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  readonly language?: string
  /** An API key to sign in with before the first page is opened. */
  readonly key?: string
  /** Another allowed host: an identity provider that users are redirected to. */
  readonly alsoAsks?: string
  /** Expected errors: matching console errors are not counted. */
  readonly tolerates?: RegExp
}

/** A browser. Disposing it throws if there were hidden errors. */
export interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  readonly faults: string[]
  open(path: string): Promise<void>
  /** The accessibility problems that axe finds on the page as it is now. */
  barriers(): Promise<readonly string[]>
}

const program = '/usr/bin/chromium-headless-shell'
// The browser can only reach the service under test, also by a name that it does not trust as it does loopback addresses.
const resolves =
  '--host-resolver-rules=MAP lan.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-quic', resolves]
let browser: Browser | undefined

/** Debian's browser, started once. */
async function sharedBrowser(): Promise<Browser> {
  if (!existsSync(program)) throw new Error(`${program} is not installed; run: npm run setup`)
  browser ??= await chromium.launch({ executablePath: program, args })
  return browser
}

export async function closeBrowser(): Promise<void> {
  await browser?.close()
  browser = undefined
}

/**
 * Opens a browser that records every error, policy violation, request to another host and unhandled rejection, in all
 * of its pages.
 */
export async function startVisit(url: string, options: VisitOptions = {}): Promise<Visit> {
  const { theme = 'light', width = 1280, height = 900, language = 'en-GB', key, tolerates, alsoAsks = url } = options
  const opened = await sharedBrowser()
  const context = await opened.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: language,
    hasTouch: width < 600,
    acceptDownloads: true,
    reducedMotion: 'reduce',
  })
  if (key) {
    // Scripts also run in the blank page that a new tab begins with, which has no storage.
    const keep = `sessionStorage.setItem('lathe.key', ${JSON.stringify(key)})`
    await context.addInitScript(`if (location.protocol !== 'about:') ${keep}`)
  }
  // Reported by the page itself: the console does not name the violated policy.
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    console.error('refused by policy: ' + event.violatedDirective + ' ' + event.blockedURI)
  })`)
  // Less than the timeout of a test, so that a failure names what was waited for.
  context.setDefaultTimeout(20_000)
  const faults: string[] = []
  // Of the context, so that pages that open later count too.
  context.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning'
    if (isBad && !tolerates?.test(message.text())) faults.push(`console: ${message.text()}`)
  })
  context.on('weberror', (problem) => faults.push(`error: ${problem.error().message}`))
  context.on('request', (request) => {
    const isOurs =
      [url, alsoAsks].some((one) => request.url().startsWith(`${one}/`)) || /^(blob|data):/.test(request.url())
    if (!isOurs) faults.push(`foreign request: ${request.url()}`)
  })
  const page = await context.newPage()
  return {
    page,
    context,
    faults,
    open: async (path) => void (await page.goto(`${url}${path}`)),
    barriers: () => findBarriers(page),
    async [Symbol.asyncDispose]() {
      await context.close()
      if (faults.length > 0) throw new Error(`in the browser:\n${faults.join('\n')}`)
    },
  }
}

/**
 * Runs axe in the page itself. Its package for Playwright loads all of axe twice for every check, into the page and
 * into another one, which took longer than the rest of the tests.
 */
async function findBarriers(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, { resultTypes: ['violations'] })`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
