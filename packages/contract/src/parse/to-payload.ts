import { secretOptions } from '@lathe/engines'
import { addressFields, type Payload, secretFields } from '@lathe/operations'
import { normalizeFormat } from '../explain-pair.ts'
import { type Body, isBody } from './check-fields.ts'

/** Replaces a secret. */
export const mask = '***'

// The types of the fields are those of the schemas that the body is checked against. A task with a fault in one is never
// used.

/** What the owner sees of a task: as sent, without fields that are shown elsewhere, secrets masked, content emptied. */
export function toPayload(body: Body, contentField?: string): Payload {
  return mapFields(body, (name, value) => {
    if (secretFields.has(name)) return mask
    if (name === contentField) return ''
    if (name === 'options' && isBody(value)) return maskOptions(value)
    return addressFields.has(name) && typeof value === 'string' ? maskPassword(value) : value
  })
}

/**
 * The parameters that the payload shows masked, in plain text. If one option is a secret, all options are among them:
 * they are sealed together.
 */
export function toSecrets(parameters: Payload): Payload | undefined {
  const secrets = Object.entries(parameters).filter(([name, value]) => hasSecret(name, value))
  return secrets.length > 0 ? Object.fromEntries(secrets) : undefined
}

function hasSecret(name: string, value: unknown): boolean {
  if (secretFields.has(name)) return true
  if (name === 'options' && isBody(value)) return secretOptions.some((option) => Object.hasOwn(value, option))
  return addressFields.has(name) && typeof value === 'string' && Boolean(URL.parse(value)?.password)
}

/** The values the task runs with: formats and SFTP address normalized, secrets in plain text. */
export function toParameters(body: Body, contentField?: string): Payload {
  return mapFields(body, (name, value) => {
    if (name === contentField) return ''
    if ((name === 'input_format' || name === 'output_format') && typeof value === 'string')
      return normalizeFormat(value)
    if (name === 'host' && typeof value === 'number') return String(value)
    return name === 'port' && typeof value === 'string' ? Number(value) : value
  })
}

function mapFields(body: Body, map: (name: string, value: unknown) => unknown): Record<string, unknown> {
  const shown = Object.entries(body).filter(([name]) => name !== 'operation' && name !== 'input')
  return Object.fromEntries(shown.map(([name, value]) => [name, map(name, value)]))
}

function maskOptions(options: Body): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, secretOptions.includes(name) ? mask : value]),
  )
}

/** Masks the password of a URL. Uses the URL parser and not a pattern, because there are many spellings. */
export function maskPassword(address: string): string {
  const url = URL.parse(address)
  if (!url?.password) return address
  url.password = mask
  return url.href
}
