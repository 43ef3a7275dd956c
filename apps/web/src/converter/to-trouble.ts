import { RequestError } from '@lathe/sdk'
import { messageOf } from '../api/errors.ts'
import type { Trouble } from './item.ts'

/** Converts an error of a request to a trouble. */
export function toTrouble(error: unknown): Trouble {
  if (!(error instanceof RequestError)) return { code: 'offline', msg: messageOf(error) }
  const [field] = error.errors
  return { code: error.errorCode, msg: field ? `${field.path}: ${field.msg}` : error.message }
}
