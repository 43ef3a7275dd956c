import { randomBytes } from 'node:crypto'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Secret } from '@lathe/runtime'
import { testServices } from '@lathe/testing'
import { type Access, type ConnectorUnderTest, testConnector } from '../testing/connector-suite.ts'
import { createObjstoreAExporter } from './objstore-a-exporter.ts'
import { createObjstoreAImporter } from './objstore-a-importer.ts'

const { s3 } = testServices()
const { endpoint, region, accessKeyId, secretAccessKey } = s3
const wrongSecret = 'a-wrong-secret-access-key'
const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } })

async function openBucketUnderTest(): Promise<ConnectorUnderTest> {
  const bucket = `test-${randomBytes(6).toString('hex')}`
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  const denied = 'denied/file.bin'
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: denied, Body: 'not for you' }))
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: denyUnder(bucket, 'denied/') }))
  return {
    port: Number(new URL(endpoint).port),
    secrets: [secretAccessKey, wrongSecret],
    importer: (outbound) => createObjstoreAImporter({ outbound }),
    exporter: (outbound) => createObjstoreAExporter({ outbound }),
    payload: (path, access) => ({ bucket, region, endpoint, ...credentials(access), key: keyFor(path, access) }),
    async list() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
      return [...Contents.map(({ Key }) => `${Key}`), ...Uploads.map(({ Key }) => `unfinished: ${Key}`)]
    },
    [Symbol.asyncDispose]: async () => {
      await client.send(new DeleteBucketPolicyCommand({ Bucket: bucket }))
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
      for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
      await client.send(new DeleteBucketCommand({ Bucket: bucket }))
    },
  }

  function keyFor(path: string, access: Access): string {
    return access === 'forbidden' ? denied : path
  }
}

function credentials(access: Access) {
  const secret = access === 'wrong' ? wrongSecret : secretAccessKey
  return { access_key_id: accessKeyId, secret_access_key: new Secret(secret) }
}

function denyUnder(bucket: string, prefix: string): string {
  const Resource = [`arn:aws:s3:::${bucket}/${prefix}*`]
  const deny = { Effect: 'Deny', Principal: '*', Action: ['s3:GetObject', 's3:PutObject'], Resource }
  return JSON.stringify({ Version: '2012-10-17', Statement: [deny] })
}

testConnector('objstore_a', openBucketUnderTest)
