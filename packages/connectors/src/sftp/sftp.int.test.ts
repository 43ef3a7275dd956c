import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSshKey, startSshd } from '@lathe/testing'
import { type ConnectorUnderTest, testConnector } from '../testing/connector-suite.ts'
import { createKeyBook } from '../testing/key-book.ts'
import { createSftpExporter, createSftpImporter } from './sftp.ts'

/** Real OpenSSH. The forbidden file is in a folder of mode 0. */
async function openSftp(): Promise<ConnectorUnderTest> {
  const sshd = await startSshd()
  const { port, username, privateKey, filesDir } = sshd
  await mkdir(join(filesDir, 'closed'))
  await writeFile(join(filesDir, 'closed', 'forbidden.bin'), 'not for you')
  await chmod(join(filesDir, 'closed'), 0)
  const keys = {
    allowed: privateKey,
    wrong: makeSshKey().private,
    forbidden: privateKey,
  }
  // Long enough for a busy machine, short enough for tests with a silent server.
  const parts = { hostKeys: createKeyBook(), limits: { idleMs: 1_500, readyMs: 10_000 } }
  return {
    port,
    secrets: Object.values(keys).flatMap((key) => [key, key.split('\n')[2] ?? key]),
    importer: (outbound) => createSftpImporter({ outbound, ...parts }),
    exporter: (outbound) => createSftpExporter({ outbound, ...parts }),
    payload: (path, access) => ({
      host: '127.0.0.1',
      port,
      username,
      private_key: keys[access],
      file_string: access === 'forbidden' ? `closed/${path}` : path,
    }),
    list: () => listFiles(filesDir),
    [Symbol.asyncDispose]: () => sshd[Symbol.asyncDispose](),
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort()
}

testConnector('sftp', openSftp)
