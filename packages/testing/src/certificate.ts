import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A certificate and its key, as PEM files. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** Makes a certificate of a loopback server, signed by itself, that is valid for a day. */
export async function makeCertificate(folder: string): Promise<CertificateFiles> {
  const files = { cert: join(folder, 'fullchain.pem'), key: join(folder, 'privkey.pem') }
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', files.key, '-out', files.cert])
  return files
}
