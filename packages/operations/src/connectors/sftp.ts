import type { FieldError } from '@lathe/domain'
import { type Static, type TObject, Type } from 'typebox'
import { defineExport, defineImport } from '../define.ts'
import { filename, secret, targetPath, text } from '../fields.ts'

const { Optional } = Type

const access = {
  host: Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Number()], {
    description: 'Host name or IP address of the server.',
  }),
  port: Optional(
    Type.Union([Type.String({ pattern: '^[0-9]{1,5}$' }), Type.Integer()], {
      description: 'Port from 1 to 65535. Default: 22.',
    }),
  ),
  username: text('User name.'),
  password: Optional(secret('Password. Not required if `private_key` is set.')),
  private_key: Optional(secret('Private key; tried before the password.')),
  host_key: Optional(text('The host key the server must show.')),
}

function check({ password, private_key, port = 22 }: Static<TObject<typeof access>>): FieldError[] {
  const faults: FieldError[] = []
  if (private_key === undefined && password === undefined) {
    faults.push({ path: 'password', code: 'required', msg: 'is required, unless `private_key` is given.' })
  }
  if (Number(port) < 1 || Number(port) > 65_535) faults.push({ path: 'port', msg: 'must be a port from 1 to 65535.' })
  return faults
}

export const importSftp = defineImport({
  name: 'import/sftp',
  summary: 'Import from an SFTP server',
  description: 'Fetches a file.',
  fields: { ...access, file_string: text('File on the server, with its path.'), filename: Optional(filename) },
  check,
})

export const exportSftp = defineExport({
  name: 'export/sftp',
  summary: 'Export to an SFTP server',
  description: 'Writes files.',
  fields: { ...access, file_string: targetPath('File to write on the server.') },
  check,
})
