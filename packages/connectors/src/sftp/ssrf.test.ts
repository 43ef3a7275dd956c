import { isFailure } from '@lathe/domain'
import { createOutbound } from '@lathe/outbound'
import { createFakeNet, refusedIpv4, refusedIpv6, spellIpv4, spellIpv6 } from '@lathe/outbound/testing'
import { describe, expect, it } from 'vitest'
import { createKeyBook } from '../testing/key-book.ts'
import { makeBytes, makeExportContext, makeExportFile, makeImportContext } from '../testing/transfer-contexts.ts'
import { createSftpExporter, createSftpImporter } from './sftp.ts'

const spellings = [...new Set([...refusedIpv4.flatMap(spellIpv4), ...refusedIpv6.flatMap(spellIpv6)])]
const hosts = [
  ...spellings,
  ...spellings.map((host) => host.replace(/^\[|\]$/g, '')),
  ...refusedIpv4.map(asNumber),
  ...[
    'localhost',
    'localhost.',
    'a.localhost',
    'db.internal',
    'redis',
    '',
    ' ',
    'a b',
    'x:22',
    'a/b',
    'a@b.example.com',
  ],
]

function asNumber(address: string): number {
  return address.split('.').reduce((whole, part) => whole * 256 + Number(part), 0)
}

describe('an SFTP host that may not be reached', () => {
  it(`is not connected to under any of ${hosts.length} spellings, neither to import nor to export [D-store-14]`, async () => {
    const net = createFakeNet({ 'evil.example.com': [['127.0.0.1']] }, () => {})
    const parts = { outbound: createOutbound({ allow: [] }, net), hostKeys: createKeyBook() }
    const reached: unknown[] = []
    for (const host of [...hosts, 'evil.example.com']) {
      const payload = { host, username: 'me', password: 'hush', file_string: 'x' }
      const file = makeExportFile('x', makeBytes(1))
      const ends = [
        await createSftpImporter(parts).run(payload, makeImportContext().context),
        await createSftpExporter(parts).run(payload, makeExportContext([file]).context),
      ]
      if (ends.some((end) => !isFailure(end) || end.code !== 'url_forbidden')) reached.push(host)
    }
    expect({ reached, dials: net.dials }).toEqual({ reached: [], dials: [] })
    expect(new Set(net.lookups)).toEqual(new Set(['evil.example.com']))
  })
})
