import { randomBytes } from 'node:crypto'

/** Makes unique secrets and remembers all of them. */
export interface Mint {
  readonly tokens: readonly string[]
  next(): string
}

export function createMint(): Mint {
  const tokens: string[] = []
  return {
    tokens,
    next() {
      const token = `hush${randomBytes(14).toString('hex')}`
      tokens.push(token)
      return token
    },
  }
}

/** A request that contains secrets. */
export interface SecretRequest {
  readonly name: string
  readonly operation: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface Places {
  /** A port without a listener. */
  readonly closedPort: number
  /** A server that asks for a password. */
  readonly guarded: string
  /** Ids of finished tasks: a PDF and a document. */
  readonly pdf: string
  readonly document: string
}

/** Every field of every operation that takes a secret, each with a unique one. */
export function secretRequests(mint: Mint, { closedPort, guarded, pdf, document }: Places): readonly SecretRequest[] {
  const bucket = () => ({
    bucket: 'some-bucket',
    region: 'us-east-1',
    access_key_id: 'AKIAEXAMPLE',
    secret_access_key: mint.next(),
    endpoint: `http://127.0.0.1:${closedPort}`,
  })
  const account = () => ({ container: 'some', storage_account: 'account', storage_access_key: pretendKey(mint) })
  const signed = () => ({
    container: 'some',
    storage_account: 'account',
    sas_token: `sv=2024-01-01&sig=${mint.next()}`,
  })
  const service = () => ({
    project_id: 'some-project',
    bucket: 'some-bucket',
    client_email: 'robot@some-project.example.com',
    private_key: pem(mint.next()),
  })
  const server = () => ({ host: '127.0.0.1', port: closedPort, username: 'somebody' })
  const userinfo = (url: string) => url.replace('http://', `http://somebody:${mint.next()}@`)
  return [
    { name: 'address, accepted', operation: 'import/url', body: { url: userinfo(`${guarded}/file.txt`) } },
    { name: 'address, refused', operation: 'import/url', body: { url: userinfo(`${guarded}/no.txt`) } },
    { name: 'address, closed', operation: 'import/url', body: { url: userinfo(`http://127.0.0.1:${closedPort}/x`) } },
    { name: 'page', operation: 'import/webpage', body: { url: userinfo(`${guarded}/no.html`) } },
    { name: 'page, captured', operation: 'capture', body: { url: userinfo(`${guarded}/no.html`) } },
    { name: 'bucket in', operation: 'import/objstore_a', body: { ...bucket(), key: 'a.txt' } },
    { name: 'bucket out', operation: 'export/objstore_a', body: { ...bucket(), input: pdf, key: '{name}' } },
    {
      name: 'endpoint with a password',
      operation: 'import/objstore_a',
      body: { ...bucket(), key: 'a', endpoint: userinfo(`http://127.0.0.1:${closedPort}`) },
    },
    { name: 'second bucket in', operation: 'import/objstore_b', body: { ...service(), file: 'a.txt' } },
    { name: 'second bucket out', operation: 'export/objstore_b', body: { ...service(), input: pdf, file: '{name}' } },
    { name: 'container in', operation: 'import/blobstore', body: { ...account(), blob: 'a.txt' } },
    { name: 'container out', operation: 'export/blobstore', body: { ...account(), input: pdf, blob: '{name}' } },
    { name: 'signed container in', operation: 'import/blobstore', body: { ...signed(), blob: 'a.txt' } },
    { name: 'signed container out', operation: 'export/blobstore', body: { ...signed(), input: pdf, blob: '{name}' } },
    { name: 'server in', operation: 'import/sftp', body: { ...server(), password: mint.next(), file_string: '/a' } },
    {
      name: 'server in by key',
      operation: 'import/sftp',
      body: { ...server(), private_key: pem(mint.next()), file_string: '/a' },
    },
    {
      name: 'server out',
      operation: 'export/sftp',
      body: { ...server(), password: mint.next(), private_key: pem(mint.next()), input: pdf, file_string: '/{name}' },
    },
    { name: 'locked PDF', operation: 'convert', body: toPdf(pdf, { password: mint.next() }) },
    {
      name: 'PDF to lock',
      operation: 'convert',
      body: toPdf(pdf, { output_password: mint.next(), owner_password: mint.next() }),
    },
    { name: 'locked document', operation: 'convert', body: toPdf(document, { password: mint.next() }) },
    { name: 'document to lock', operation: 'convert', body: toPdf(document, { output_password: mint.next() }) },
  ]
}

/** The same requests with one fault each: the service neither keeps a refused secret nor repeats it in the error. */
export function faulty({ name, operation, body }: SecretRequest): readonly SecretRequest[] {
  const options = (body.options ?? {}) as object
  return [
    { name: `${name}, with an unknown field`, operation, body: { ...body, colour: 'blue' } },
    { name: `${name}, with a number for a name`, operation, body: { ...body, filename: 7 } },
    { name: `${name}, with an unknown option`, operation, body: { ...body, options: { ...options, colour: 'blue' } } },
  ]
}

function toPdf(input: string, options: Readonly<Record<string, string>>) {
  return { input, output_format: 'pdf', options }
}

// Container keys are base64. A token is valid base64 as it is, so it can be found unchanged.
function pretendKey(mint: Mint): string {
  return `${mint.next()}==`
}

function pem(text: string): string {
  return `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----\n`
}
