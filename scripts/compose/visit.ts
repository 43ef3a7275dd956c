import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read } from '../containers/podman.ts'

export interface Visit {
  /** The container whose network is entered: only there is the proxy on loopback, under its own name. */
  readonly container: string
  readonly key: string
  /** Where the proxy's root certificate is put. */
  readonly folder: string
}

export interface Visited {
  readonly link: string
  readonly bytes: number
}

const visitor = new URL('visitor.ts', import.meta.url).pathname

/** Converts a photo and a letter through the proxy, over TLS, and downloads the photo. */
export async function convertOnce(visit: Visit): Promise<Visited> {
  return JSON.parse(enter(visit, ['convert', visit.key])) as Visited
}

/** Downloads what was converted before. */
export async function readBack(visit: Visit, { link }: Visited): Promise<Visited> {
  return JSON.parse(enter(visit, ['download', link])) as Visited
}

function enter({ container, folder }: Visit, words: readonly string[]): string {
  const pid = read(['podman', 'inspect', '--format', '{{.State.Pid}}', container]).trim()
  const certificate = join(folder, 'root.crt')
  writeFileSync(certificate, read(['podman', 'exec', container, 'cat', '/data/caddy/pki/authorities/local/root.crt']))
  const inside = ['nsenter', `--net=/proc/${pid}/ns/net`, 'env', `NODE_EXTRA_CA_CERTS=${certificate}`]
  return read([...inside, process.execPath, visitor, ...words])
}
