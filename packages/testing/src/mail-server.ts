import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A message that a mail server has accepted. */
export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body, as they were sent. */
  readonly source: string
}

/** A mail server on loopback that stores the mail it receives. */
export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  readonly mails: TakenMail[]
  /** Recipients whose mail is refused. */
  readonly refused: Set<string>
}

/** Starts `smtp-server`. With a user it offers STARTTLS and accepts mail only from that user. */
export async function startMailServer(user?: {
  readonly name: string
  readonly password: string
}): Promise<MailServer> {
  const mails: TakenMail[] = []
  const refused = new Set<string>()
  const server = new SMTPServer({
    authOptional: user === undefined,
    // Without a user there is no TLS and no login.
    ...(user === undefined && { disabledCommands: ['STARTTLS', 'AUTH'] }),
    onAuth({ username, password }, _session, done) {
      const isRight = username === user?.name && password === user?.password
      done(isRight ? null : new Error('wrong password'), isRight ? { user: username ?? '' } : undefined)
    },
    onRcptTo({ address }, _session, done) {
      done(refused.has(address) ? Object.assign(new Error('no such person'), { responseCode: 550 }) : null)
    },
    onData(stream, { envelope }, done) {
      text(stream).then((source) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), source })
        done()
      }, done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    ...{ port, mails, refused, url: `smtp://127.0.0.1:${port}` },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
