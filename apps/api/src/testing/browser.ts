import type { FastifyInstance, InjectOptions } from 'fastify'
import { checkAuthAnswer } from './check-auth-answer.ts'

/** A response as a browser sees it. Answers of /auth are compared with the OpenAPI document. */
export interface Page<T = Record<string, unknown>> {
  readonly status: number
  readonly body: T
  readonly headers: Readonly<Record<string, unknown>>
}

/** A browser on a page of the service: it keeps cookies and sends the origin of its requests. */
export interface Browser {
  /** Name and value of the session's cookie, as the browser sends it. */
  cookie: string | undefined
  /** All other cookies, by name, as the browser sends them. */
  readonly others: Map<string, string>
  /** The last `Set-Cookie` it received. */
  setCookie: string | undefined
  get<T>(url: string, headers?: Record<string, string>): Promise<Page<T>>
  change<T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers?: Record<string, string>,
  ): Promise<Page<T>>
  /** A bearer token of its session. */
  token(sent?: object): Promise<string>
}

/** The headers a browser sends with requests of the page's own scripts. */
export const ownPage = { origin: 'https://lathe.test', 'sec-fetch-site': 'same-origin' }

export function openBrowser(app: FastifyInstance, remoteAddress = '192.0.2.1'): Browser {
  async function send<T>(options: InjectOptions): Promise<Page<T>> {
    const held = [...(browser.cookie === undefined ? [] : [browser.cookie]), ...browser.others.values()]
    const cookie = held.length === 0 ? {} : { cookie: held.join('; ') }
    const answer = await app.inject({ remoteAddress, ...options, headers: { ...cookie, ...options.headers } })
    const { method = 'GET', url, payload: sent } = options
    checkAuthAnswer({ method, url: String(url), sent, status: answer.statusCode, body: answer.body })
    for (const kept of [answer.headers['set-cookie'] ?? []].flat()) keep(kept)
    const isJson = answer.headers['content-type']?.toString().includes('json')
    const body = (isJson && answer.body !== '' ? answer.json() : undefined) as T
    return { status: answer.statusCode, body, headers: answer.headers }
  }
  function keep(kept: string): void {
    const [pair = ''] = kept.split(';')
    const [name = ''] = pair.split('=')
    const isGone = kept.includes('Max-Age=0')
    if (/^(__Host-)?lathe$/.test(name)) {
      browser.setCookie = kept
      browser.cookie = isGone ? undefined : pair
    } else if (isGone) browser.others.delete(name)
    else browser.others.set(name, pair)
  }

  const browser: Browser = {
    others: new Map(),
    cookie: undefined,
    setCookie: undefined,
    get: (url, headers = {}) => send({ url, headers }),
    change: (method, url, payload = {}, headers = {}) =>
      send({ method, url, payload, headers: { ...ownPage, ...headers } }),
    async token(sent = {}) {
      const { body } = await browser.change<{ token: string }>('POST', '/auth/token', sent)
      return body.token
    },
  }
  return browser
}
