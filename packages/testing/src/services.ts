export interface TestServices {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly s3: {
    readonly endpoint: string
    readonly region: string
    readonly bucket: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  }
}

/** The URLs of this checkout's services: those of `npm run services`, unless the environment sets others. */
export function testServices(env: NodeJS.ProcessEnv = process.env): TestServices {
  return {
    databaseUrl: env.LATHE_TEST_DATABASE_URL ?? 'postgres://lathe@127.0.0.1:54329/lathe',
    redisUrl: env.LATHE_TEST_REDIS_URL ?? 'redis://127.0.0.1:63799',
    s3: {
      endpoint: env.LATHE_TEST_S3_ENDPOINT ?? 'http://127.0.0.1:7489',
      region: 'us-east-1',
      bucket: 'lathe',
      accessKeyId: 'test',
      secretAccessKey: 'testtest',
    },
  }
}
