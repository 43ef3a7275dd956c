import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionError, type DeviceLogin, type DeviceToken } from '@lathe/sdk'
import { SignInError } from './exit-codes.ts'

/** A sign-in through the browser that has started. */
export interface DeviceFlow {
  readonly login: DeviceLogin
  /** Waits until the user has approved it. Throws a SignInError if they deny it or take too long. */
  token(): Promise<DeviceToken>
}

interface Answer<T> {
  readonly status: number
  readonly body: Partial<T> & { readonly errorCode?: string; readonly msg?: string }
}

type Post = <T>(path: string, body: object) => Promise<Answer<T>>

/** Starts a sign-in in the style of RFC 8628. */
export async function startDeviceFlow(url: string, clientName: string, signal: AbortSignal): Promise<DeviceFlow> {
  const post: Post = async <T>(path: string, sent: object) => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    try {
      const request = { method: 'POST', headers, body: JSON.stringify(sent), redirect: 'error', signal } as const
      const response = await fetch(new URL(path, url), request)
      const text = await response.text()
      return { status: response.status, body: readJson<T>(text) }
    } catch (cause) {
      signal.throwIfAborted()
      throw new ConnectionError(`${url} cannot be reached.`, { cause })
    }
  }
  const { status, body } = await post<DeviceLogin>('/v1/device/authorize', { client_name: clientName })
  if (status !== 200) throw refusedStart(url, status, body)
  const login = body as DeviceLogin
  return { login, token: () => pollToken(post, login, signal) }
}

// RFC 8628, section 3.5: "the interval MUST be increased by 5 seconds".
const slowDownS = 5
const longestDelayS = 30

async function pollToken(post: Post, login: DeviceLogin, signal: AbortSignal): Promise<DeviceToken> {
  const endsAt = Date.now() + login.expires_in * 1000
  let [intervalS, delayS] = [login.interval, 0]
  while (Date.now() < endsAt) {
    await wait((intervalS + delayS) * 1000, undefined, { signal })
    const { status, body } = await pollOnce(post, login)
    if (status === 200) return body as DeviceToken
    // A service that restarts or is overloaded may answer later.
    const isAway = status === 0 || status === 429 || status >= 500
    delayS = isAway ? Math.min(longestDelayS, delayS * 2 + 1) : 0
    if (body.errorCode === 'slow_down') intervalS += slowDownS
    else if (!isAway && body.errorCode !== 'authorization_pending') {
      throw new SignInError(body.msg ?? `The service answered ${status}.`)
    }
  }
  throw new SignInError('Nobody has approved the sign-in in time. Run lathe login again.')
}

/** A broken connection is not an answer: the next poll gets the result. */
function pollOnce(post: Post, { device_code }: DeviceLogin): Promise<Answer<DeviceToken>> {
  return post<DeviceToken>('/v1/device/token', { device_code }).catch((error: unknown) => {
    if (error instanceof ConnectionError) return { status: 0, body: {} }
    throw error
  })
}

function refusedStart(url: string, status: number, { errorCode, msg }: Answer<DeviceLogin>['body']): Error {
  // Services older than this kind of sign-in do not know the path.
  if (errorCode === 'device_login_off' || status === 404 || status === 405) {
    const how = `Get an API key from whoever runs it, or make one at ${new URL('/keys', url)}`
    return new SignInError(
      `${url} offers no sign-in through the browser. ${how} and run: lathe login --url ${url} --key`,
    )
  }
  const text = msg ?? `${url} answered ${status}.`
  return status >= 500 ? new ConnectionError(text) : new SignInError(text)
}

function readJson<T>(text: string): Answer<T>['body'] {
  try {
    return JSON.parse(text) as Answer<T>['body']
  } catch {
    return {}
  }
}
