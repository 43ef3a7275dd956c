import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A message that a mail server has taken. */
export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body, as they were sent. */
  readonly source: string
}

/** A mail server on loopback that keeps what it is given. */
export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  readonly mails: TakenMail[]
  /** Refuses mail to these. */
  readonly refused: Set<string>
}

/** Starts `smtp-server`; with a user it speaks STARTTLS, and takes mail of nobody else. */
export async function startMailServer(user?: {
  readonly name: string
  readonly password: string
}): Promise<MailServer> {
  const mails: TakenMail[] = []
  const refused = new Set<string>()
  const server = new SMTPServer({
    authOptional: user === undefined,
    // Without TLS there is none to log in over.
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
