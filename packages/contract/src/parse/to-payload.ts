import { secretOptions } from '@lathe/engines'
import { secretFields } from '@lathe/operations'
import { addressFields } from '../bodies/bodies.ts'
import { normalizeFormat } from '../explain-pair.ts'
import { type Body, isBody } from './check-fields.ts'

/** Replaces a secret. */
export const mask = '***'

/** What the owner is shown of a task: as sent, without what stands elsewhere, secrets masked, content emptied. */
export function toPayload(body: Body, contentField?: string): Record<string, unknown> {
  return mapFields(body, (name, value) => {
    if (secretFields.has(name)) return mask
    if (name === contentField) return ''
    if (name === 'options' && isBody(value)) return maskOptions(value)
    return addressFields.has(name) && typeof value === 'string' ? maskPassword(value) : value
  })
}

/** What the task is carried out with: formats and SFTP address in one spelling, secrets in clear. */
export function toParameters(body: Body, contentField?: string): Record<string, unknown> {
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
