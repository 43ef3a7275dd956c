import { secretVariable } from '@lathe/runtime'
import { type Static, Type } from 'typebox'

/** The api's settings for sending mail. */
export const mailEnv = Type.Object({
  SMTP_URL: secretVariable({
    default: '',
    pattern: '^(smtps?://\\S+)?$',
    description:
      'Mail server for invitations: smtp://user:password@mail.example.com:587 (STARTTLS where the server offers it, and always if there is a password), or smtps://…:465 (TLS from the start). Its host may be private. Empty: invitations are links that people pass on themselves',
  }),
  MAIL_FROM: Type.String({
    default: '',
    description: 'Sender of mail, such as Lathe <lathe@example.com>. SMTP_URL needs it',
  }),
})

/** A mail server, and the sender of mail. */
export interface MailConfig {
  readonly host: string
  readonly port: number
  /** Whether TLS starts with the connection. */
  readonly isSecure: boolean
  readonly user: string
  readonly password: string
  readonly from: string
}

/** The mail part of the configuration, undefined without a server; throws an error that names what is missing. */
export function mailConfig(env: Static<typeof mailEnv>): MailConfig | undefined {
  if (env.SMTP_URL === '') return undefined
  const url = URL.parse(env.SMTP_URL)
  if (!url?.hostname) throw badConfiguration('SMTP_URL is not of the form smtp://user:password@host:port')
  if (!env.MAIL_FROM.includes('@'))
    throw badConfiguration('SMTP_URL needs MAIL_FROM, such as Lathe <lathe@example.com>')
  const isSecure = url.protocol === 'smtps:'
  return {
    host: url.hostname,
    port: Number(url.port) || (isSecure ? 465 : 587),
    isSecure,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    from: env.MAIL_FROM,
  }
}

/** The mail server as an entry of OUTBOUND_ALLOW: the operator has named its host. */
export function mailPlace({ host, port }: MailConfig): string {
  return `smtp=${host}:${port}`
}

const badConfiguration = (fault: string) => new Error(`Bad configuration:\n  ${fault}`)
