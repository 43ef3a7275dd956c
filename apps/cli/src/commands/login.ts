import { hostname } from 'node:os'
import { createInterface } from 'node:readline'
import { type DeviceLogin, Lathe } from '@lathe/sdk'
import { shown } from '../batch/reporter.ts'
import type { ConnectFlags } from '../connect.ts'
import { startDeviceFlow } from '../device-flow.ts'
import { environment } from '../environment.ts'
import { UsageError } from '../exit-codes.ts'
import { openBrowser } from '../open-browser.ts'
import { defaultProfile, keepProfile } from '../profiles.ts'

export interface LoginFlags {
  /** Commander's name of --no-browser. */
  readonly browser: boolean
}

/** Signs in through the browser, or with an API key if --key is given. Stores the URL and the key. */
export async function logIn(flags: ConnectFlags, { browser }: LoginFlags, signal: AbortSignal): Promise<void> {
  const url = flags.url ?? environment.url
  if (!url) throw new UsageError('Which Lathe? lathe login --url https://lathe.example.com')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`${url} is not a URL. It looks like https://lathe.example.com`)
  const profile = flags.profile ?? defaultProfile
  if (flags.key !== undefined) return keepKey(url, flags.key, profile)
  await approveInBrowser({ url, profile, browser, signal })
}

async function keepKey(url: string, given: string | true, profile: string): Promise<void> {
  const key = given === true ? await askSecret(`API key of ${url} (make one at ${new URL('/keys', url)}): `) : given
  if (!key) throw new UsageError('No key was given.')
  const { name } = await new Lathe({ baseUrl: url, key }).account()
  tell(`Signed in as ${name}. ${whereKept(await keepProfile(profile, { url, key }))}`)
}

interface BrowserLogin {
  readonly url: string
  readonly profile: string
  readonly browser: boolean
  readonly signal: AbortSignal
}

async function approveInBrowser({ url, profile, browser, signal }: BrowserLogin): Promise<void> {
  const { login, token } = await startDeviceFlow(url, `lathe on ${hostname()}`, signal)
  const isTerminal = process.stderr.isTTY && process.stdin.isTTY
  tell(
    `Open this page and check that it shows this code:\n\n  ${login.verification_uri_complete}\n  ${login.user_code}\n`,
  )
  if (isTerminal && browser) openBrowser(login.verification_uri_complete)
  const waiting = showWaiting(login)
  const given = await token().finally(() => waiting[Symbol.dispose]())
  // Stored first: the service returns the key only once.
  const file = await keepProfile(profile, { url, key: given.access_token })
  const account = await new Lathe({ baseUrl: url, key: given.access_token }).account().catch(() => undefined)
  const name = account ? ` as ${account.name}` : ''
  tell(`Signed in${name}. ${whereKept(file)} It is named "${given.name}": revoke it at ${new URL('/keys', url)}`)
}

const whereKept = (file: string) => `The key is in ${file}, readable for you alone.`

/** Shows on a terminal how long the sign-in remains valid; logs get a single line. */
function showWaiting({ expires_in }: DeviceLogin): Disposable {
  const { stderr } = process
  if (!stderr.isTTY) {
    tell('Waiting for approval …')
    return { [Symbol.dispose]() {} }
  }
  const endsAt = Date.now() + expires_in * 1000
  const draw = () => {
    const leftS = Math.max(0, Math.round((endsAt - Date.now()) / 1000))
    const left = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`
    stderr.write(`\r\x1b[KWaiting for approval … ${left} left (Ctrl-C ends it)`)
  }
  draw()
  const timer = setInterval(draw, 1000)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      stderr.write('\r\x1b[K')
    },
  }
}

/**
 * Prints text without control characters: names and URLs come from the service, and a terminal must not interpret them.
 */
function tell(text: string): void {
  process.stderr.write(`${text.split('\n').map(shown).join('\n')}\n`)
}

/** Reads a line without echo. */
async function askSecret(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY
  if (isTerminal) process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, terminal: isTerminal, output: undefined as never })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
