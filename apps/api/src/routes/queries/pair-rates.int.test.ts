import type { FormatList } from '@lathe/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
  await api.services.database.pool.query(
    `insert into pair_rates (operation, input_format, output_format, completed, failed, median_ms)
     values ('convert', 'jpg', 'webp', 297, 3, 1250), ('convert', 'jpg', 'png', 19, 0, 10), ('convert', 'png', 'webp', 20, 0, null)`,
  )
})
afterAll(() => api[Symbol.asyncDispose]())

const formats = async (path: string) => (await api.app.inject(`/v1/query/formats${path}`)).json<FormatList>().formats
const find = async (path: string, ext: string) => (await formats(path)).find((format) => format.ext === ext)

describe('format queries', () => {
  it('return the engine, success rate and median time of each pair [D-http-77]', async () => {
    const reported = { engine: 'vips', success_rate: 0.99, median_seconds: 1.25, tasks: 300 }
    expect(await find('/convert?input_format=jpg', 'webp')).toEqual({ ext: 'webp', ...reported })
    expect(await find('/convert?output_format=webp', 'jpg')).toEqual({ ext: 'jpg', ...reported })
    expect(await find('/convert?output_format=webp', 'png')).toEqual({
      ext: 'png',
      engine: 'vips',
      success_rate: 1,
      tasks: 20,
    })
  })

  it('return only the engine for fewer than 20 tasks', async () => {
    expect(await find('/convert?input_format=jpg', 'png')).toEqual({ ext: 'png', engine: 'vips' })
  })

  it('return neither if no single format is named', async () => {
    for (const path of ['', '/convert', '/convert?input_format=*', '/convert?output_format=*']) {
      expect(await find(path, 'webp'), path).toEqual({ ext: 'webp' })
    }
  })
})
