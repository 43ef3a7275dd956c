import { readEnv } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { storageConfig, storageEnv } from './config.ts'

const s3 = {
  S3_ENDPOINT: 'http://127.0.0.1:7489',
  S3_BUCKET: 'lathe',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
}

function read(env: Record<string, string>) {
  return storageConfig(readEnv(storageEnv, env))
}

describe('storageConfig', () => {
  it('reads an S3 store', () => {
    expect(read(s3)).toEqual({
      kind: 's3',
      endpoint: s3.S3_ENDPOINT,
      region: 'us-east-1',
      bucket: 'lathe',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    })
  })

  it('reads a disk store', () => {
    expect(read({ STORAGE_KIND: 'disk', STORAGE_DIR: '/srv/lathe' })).toEqual({ kind: 'disk', dir: '/srv/lathe' })
  })

  it('names every variable that is missing for the kind', () => {
    expect(() => read({ S3_BUCKET: 'lathe' })).toThrow('S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY')
    expect(() => read({ STORAGE_KIND: 'disk' })).toThrow('STORAGE_DIR')
  })

  it.each([
    { STORAGE_KIND: 'ftp' },
    { ...s3, S3_BUCKET: '../x' },
    { ...s3, S3_ENDPOINT: 'file:///etc' },
    { ...s3, S3_ENDPOINT: 'https://user:pass@host' },
    { STORAGE_KIND: 'disk', STORAGE_DIR: 'relative' },
  ])('refuses %j', (env) => {
    expect(() => read(env)).toThrow('Bad configuration')
  })

  it('describes every variable', () => {
    for (const variable of Object.values(storageEnv.properties)) {
      expect(variable).toHaveProperty('description', expect.stringMatching(/.{8}/))
    }
  })
})
