import { type FieldError, kindOf, type Operation } from '@lathe/domain'
import { cleanFilename } from '@lathe/formats'
import { addressFields } from '../bodies/bodies.ts'
import { checkBase64 } from './check-base64.ts'
import { type Body, isBody } from './check-fields.ts'
import { join } from './path.ts'

/** Rules that go beyond a field's type. Only well-typed bodies come here. */
export function checkValues(operation: Operation, body: Body, { inJob, path }: ValuePlace): FieldError[] {
  const faults = [
    ...checkFilename(body),
    ...checkAddresses(body),
    ...checkPart(operation, body),
    ...(operation === 'import/base64' ? checkBase64(body) : []),
    ...(operation === 'import/objstore_a' ? checkKey(body, inJob) : []),
    ...checkCredentials(operation, body),
    ...(kindOf(operation) === 'export' ? [...checkTarget(body), ...checkFolders(body)] : []),
  ]
  return faults.map((fault) => ({ ...fault, path: join(path, fault.path) }))
}

interface ValuePlace {
  readonly inJob: boolean
  readonly path: string
}

// A name of blanks and dots is nothing a file system or a browser would keep.
function checkFilename({ filename }: Body): FieldError[] {
  if (typeof filename !== 'string' || cleanFilename(filename) !== undefined) return []
  return [{ path: 'filename', msg: 'must hold more than blanks and dots.' }]
}

const partOptions: Partial<Record<Operation, readonly string[]>> = {
  crop: ['x', 'y', 'width', 'height'],
  trim: ['start', 'end', 'pages'],
}

function checkPart(operation: Operation, { options }: Body): FieldError[] {
  const names = partOptions[operation]
  if (names === undefined || !isBody(options) || names.some((name) => Object.hasOwn(options, name))) return []
  return [{ path: 'options', code: 'required', msg: `must say what to keep: at least one of ${names.join(', ')}.` }]
}

function checkAddresses(body: Body): FieldError[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (!addressFields.has(name) || typeof value !== 'string') return []
    return isWebAddress(value) ? [] : [{ path: name, msg: 'must be an address that begins with http:// or https://.' }]
  })
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}

function checkKey({ key, key_prefix }: Body, inJob: boolean): FieldError[] {
  if (key_prefix !== undefined && !inJob) {
    return [{ path: 'key_prefix', msg: 'works inside jobs only. Give `key`, or create a job.' }]
  }
  if (key !== undefined && key_prefix !== undefined) {
    return [{ path: 'key_prefix', code: 'conflict', msg: 'cannot be combined with `key`. Give one of the two.' }]
  }
  if (key !== undefined || key_prefix !== undefined) return []
  return [{ path: 'key', code: 'required', msg: inJob ? 'is required, unless `key_prefix` is given.' : 'is required.' }]
}

function checkCredentials(operation: Operation, body: Body): FieldError[] {
  if (operation.endsWith('/blobstore') && body.sas_token === undefined && body.storage_access_key === undefined) {
    return [{ path: 'storage_access_key', code: 'required', msg: 'is required, unless `sas_token` is given.' }]
  }
  if (!operation.endsWith('/sftp')) return []
  const faults: FieldError[] = []
  if (body.private_key === undefined && body.password === undefined) {
    faults.push({ path: 'password', code: 'required', msg: 'is required, unless `private_key` is given.' })
  }
  const port = Number(body.port ?? 22)
  if (port < 1 || port > 65_535) faults.push({ path: 'port', msg: 'must be a port from 1 to 65535.' })
  return faults
}

function checkFolders({ input, folders }: Body): FieldError[] {
  const inputs = Array.isArray(input) ? input.length : 1
  if (!Array.isArray(folders) || folders.length === inputs) return []
  return [{ path: 'folders', msg: `must have as many entries as \`input\`: ${inputs}. It has ${folders.length}.` }]
}

const placeholders = ['{name}', '{ext}', '{task}']

function checkTarget(body: Body): FieldError[] {
  return ['key', 'file', 'blob', 'file_string'].flatMap((name) => {
    const target = body[name]
    if (typeof target !== 'string') return []
    const unknown = (target.match(/\{[^{}]*\}/g) ?? []).filter((found) => !placeholders.includes(found))
    if (unknown.length === 0) return []
    return [{ path: name, msg: `holds ${unknown.join(', ')}. Placeholders: ${placeholders.join(', ')}.` }]
  })
}
