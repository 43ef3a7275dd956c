import { startBucketServer } from '@lathe/testing'
import { type ConnectorUnderTest, testConnector } from '../testing/connector-suite.ts'
import { createObjstoreBExporter, createObjstoreBImporter } from './objstore-b.ts'

async function openObjstoreB(): Promise<ConnectorUnderTest> {
  const server = await startBucketServer()
  const { port, endpoint, tokenUrl, bucket, account, stranger } = server
  const accounts = {
    allowed: account,
    wrong: { ...account, privateKey: stranger.privateKey },
    forbidden: stranger,
  }
  return {
    port,
    secrets: [account, stranger].flatMap(({ privateKey }) => [privateKey, privateKey.split('\n')[3] ?? privateKey]),
    importer: (outbound) => createObjstoreBImporter({ outbound, endpoint, tokenUrl }),
    exporter: (outbound) => createObjstoreBExporter({ outbound, endpoint, tokenUrl }),
    payload: (path, access) => ({
      project_id: 'project',
      bucket,
      client_email: accounts[access].clientEmail,
      private_key: accounts[access].privateKey,
      file: path,
    }),
    list: async () => server.list(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

testConnector('objstore_b', openObjstoreB)
