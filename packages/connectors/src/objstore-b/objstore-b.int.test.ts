import { startBucketServer } from '@lathe/testing'
import { type ConnectorUnderTest, testConnector } from '../testing/connector-suite.ts'
import { createObjstoreBExporter } from './objstore-b-exporter.ts'
import { createObjstoreBImporter } from './objstore-b-importer.ts'

async function openObjstoreB(): Promise<ConnectorUnderTest> {
  const server = await startBucketServer()
  const { port, endpoint, tokenUrl, bucket, account, stranger } = server
  const accounts = {
    allowed: account,
    wrong: { ...account, privateKey: stranger.privateKey },
    forbidden: stranger,
  }
  const places = { endpoint, tokenUrl }
  return {
    port,
    secrets: [account, stranger].flatMap(({ privateKey }) => [privateKey, privateKey.split('\n')[3] ?? privateKey]),
    importer: (outbound) => createObjstoreBImporter({ outbound, places }),
    exporter: (outbound) => createObjstoreBExporter({ outbound, places }),
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
