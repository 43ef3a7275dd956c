import { setupUrl } from '@lathe/accounts'
import type { Services } from '../services.ts'

/** The terminal the link is shown on. */
interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * Shows how to create the first administrator while no account exists. The link is shown only on a terminal, because
 * more people read logs than may be administrators.
 */
export async function offerSetup(
  { auth, http, log }: Pick<Services, 'auth' | 'http' | 'log'>,
  terminal: Terminal,
): Promise<void> {
  if (auth?.config.mode !== 'accounts') return
  try {
    if (!(await auth.setup.isNeeded())) return
    const link = terminal.isTTY ? await auth.setup.createLink() : undefined
    if (link === undefined) log.warn('no account can sign in: run npm run admin -- setup-link')
    else
      terminal.write(
        `\nOpen this link to set up Lathe (works once, for 24 hours):\n  ${setupUrl(http.publicUrl, link)}\n\n`,
      )
  } catch (err) {
    // The database may not be up yet: the service waits for it, and so does the link.
    log.warn({ err }, 'setup link not made')
  }
}
