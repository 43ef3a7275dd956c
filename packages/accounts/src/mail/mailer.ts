import type { Socket } from 'node:net'
import { isFailure } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import { createTransport } from 'nodemailer'
import type { MailConfig } from './config.ts'

/** A plain-text message. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mail; rejects if the server has not accepted it within seconds. */
export type SendMail = (mail: Mail) => Promise<void>

// Short, because a user waits for the page; the page shows the link in any case.
const connectMs = 5_000
const idleMs = 8_000

/** Sends mail through the operator's server, over a connection that outbound has checked. */
export function createMailer(config: MailConfig, outbound: Pick<Outbound, 'connect'>): SendMail {
  const { host, port, isSecure, user, password, from } = config
  const hasLogin = user !== ''
  const name = host.startsWith('[') ? host.slice(1, -1) : host
  const transport = createTransport({
    ...{ host: name, port, secure: isSecure },
    // A password is only sent over TLS.
    ...(hasLogin && { auth: { user, pass: password }, requireTLS: !isSecure }),
    ...{ connectionTimeout: connectMs, greetingTimeout: idleMs, socketTimeout: idleMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
    getSocket(_options, callback) {
      outbound.connect(name, port, AbortSignal.timeout(connectMs)).then(
        (socket) => {
          if (isFailure(socket)) callback(new Error(`mail server not reached: ${socket.code} ${socket.detail ?? ''}`))
          else callback(null, { connection: socket as Socket })
        },
        (error: Error) => callback(error),
      )
    },
  })
  return async ({ to, subject, text }) => {
    // As a list of one: an address with a comma stays one address, which the server rejects.
    await transport.sendMail({ from, to: [{ name: '', address: to }], subject, text })
  }
}
