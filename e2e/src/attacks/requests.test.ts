import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Task } from '@lathe/contract'
import { parseTask } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import { engines, freeTextOptions, planTask, secretOptions } from '@lathe/engines'
import { needsSeveral } from '@lathe/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bitmap } from '../../../fixtures/attacks/bitmap.ts'
import { injections } from '../../../fixtures/attacks/injections.ts'
import { hostileNames } from '../../../fixtures/attacks/names.ts'
import { answers, sends, startFileServer } from '../file-server.ts'
import { openZip } from '../outputs.ts'
import { upload } from '../upload.ts'
import { isWithin, steps } from './limits/steps.ts'
import { eachAtOnce } from './support/each-at-once.ts'
import { bodyOf, everyOption, type OptionPlace } from './support/every-option.ts'
import { expectUnharmed } from './support/expect-unharmed.ts'
import { openRange, type Range } from './support/range.ts'
import { rawUpload } from './support/raw-upload.ts'

let range: Range
beforeAll(async () => {
  range = await openRange()
})
afterAll(() => range?.[Symbol.asyncDispose]())

describe('argument injection by options [A05]', () => {
  const takesAnyText = ({ descriptor }: OptionPlace) =>
    secretOptions.includes(descriptor.name) || freeTextOptions.includes(descriptor.name)
  const places = everyOption().filter((place) => !takesAnyText(place))
  const file = '/srv/canary/file'

  it('finds every option', () => {
    expect(places.length).toBeGreaterThan(100)
  })

  it('refuses each text that does not match the form of its field', () => {
    const accepted = places.flatMap((place) =>
      injections(file).flatMap((text) => (isRefused(place, text) ? [] : [`${place.descriptor.name}: ${text}`])),
    )
    expect(accepted).toEqual([])
  })

  it('answers 400 and names the option', async () => {
    const texts = injections(range.bait.file)
    const faults = await eachAtOnce([...places.entries()], 4, async ([n, place]) => {
      const { operation } = place.ability
      const text = texts[n % texts.length]
      const { status, body } = await range.api.post(`/v1/process/${operation}`, bodyOf(place, text))
      const paths = (body as { errors?: { path: string }[] }).errors?.map(({ path }) => path) ?? []
      const isRight = status === 400 && paths.includes(`options.${place.descriptor.name}`)
      return isRight ? [] : [`${operation} ${place.descriptor.name} = ${text}: ${status} ${paths.join()}`]
    })
    expect(faults.flat()).toEqual([])
    await expectUnharmed(range)
  })

  it('keeps passwords and free text out of every argument', () => {
    const secrets = everyOption().filter(takesAnyText)
    expect(secrets.length).toBeGreaterThan(0)
    for (const { descriptor, ability } of secrets) {
      for (const text of injections(file).filter((one) => !/\p{C}/u.test(one))) {
        const { operation, from, to } = ability
        const sources = [0, 1].map((n) => ({ file: `in-${n}.${from}`, format: from, size: 1, filename: 'x' }))
        const request = { operation, sources: needsSeveral(operation) ? sources : sources.slice(0, 1), to }
        const plan = planTask({ ...request, options: { [descriptor.name]: text } })
        if (plan.kind === 'failure') continue
        const args = plan.steps.flatMap((step) => (step.kind === 'process' ? step.args : []))
        expect(args.join('\n'), descriptor.name).not.toContain(text)
      }
    }
  })

  function isRefused(place: (typeof places)[number], text: string): boolean {
    try {
      parseTask(place.ability.operation, bodyOf(place, text))
      return false
    } catch (error) {
      return error instanceof Problem && error.errors.some(({ path }) => path === `options.${place.descriptor.name}`)
    }
  }
})

describe('hostile names [C01]', () => {
  it('are returned unchanged or sanitized, in the task and in the header, and do not affect an engine', async () => {
    const { api, bait } = range
    const faults = await eachAtOnce(Object.entries(hostileNames(bait.file)), 4, async ([what, name]) => {
      const taken = await rawUpload(api, await api.create('import/upload'), { name, content: bitmap() })
      if (taken.status >= 400 && taken.status < 500) return []
      if (taken.status !== 200) return [`${what}: answered with ${taken.status}`]
      const body = { input: taken.body.id, input_format: 'bmp', output_format: 'png' }
      const task = await api.run('convert', body)
      const names = [...fileNames(taken.body), ...fileNames(task)]
      const odd = names.filter((one) => !isPlainName(one)).map((one) => `${what}: called ${JSON.stringify(one)}`)
      const ends = task.status === 'completed' ? [] : [`${what}: ${JSON.stringify(task.result)}`]
      return [...odd, ...ends, ...(await headerFaults(task)).map((fault) => `${what}: ${fault}`)]
    })
    expect(faults.flat()).toEqual([])
    await expectUnharmed(range)
  })

  it('never appear in a plan', () => {
    for (const { abilities } of engines) {
      const [ability] = abilities
      if (!ability) continue
      const { operation, from, to } = ability
      for (const name of Object.values(hostileNames('/srv/canary/file'))
        .map(String)
        .filter((one) => one.length > 3)) {
        const sources = [{ file: `in-0.${from}`, format: from, size: 1, filename: name }]
        const plan = planTask({ operation, sources, to, options: {} })
        expect(JSON.stringify(plan)).not.toContain(JSON.stringify(name).slice(1, -1))
      }
    }
  })
})

function fileNames({ result }: Task): readonly string[] {
  return (result.files ?? []).map(({ filename }) => filename ?? '')
}

/** One component, nothing invisible, at most 255 bytes: what any file system and any header can carry. */
function isPlainName(name: string): boolean {
  const isOne = name !== '' && name !== '.' && name !== '..' && !/[/\\]/.test(name)
  return isOne && !/[\p{Cc}\u2028-\u202e\u2066-\u2069\ufffe]/u.test(name) && Buffer.byteLength(name) <= 255
}

async function headerFaults({ result }: Task): Promise<readonly string[]> {
  const url = result.files?.[0]?.url
  if (url === undefined) return []
  const { headers } = await range.api.withKey(undefined).send('GET', url)
  const disposition = headers.get('content-disposition') ?? ''
  const shape = /^attachment; filename="[\x20\x21\x23-\x24\x26-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/
  return [
    ...(shape.test(disposition) ? [] : [`its header is ${disposition}`]),
    ...(headers.get('x') === null ? [] : ['a header of its own']),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['may be sniffed']),
  ]
}

describe('output names with path traversal [C02]', () => {
  const names = ['../../x', '/etc/x', '..\\..\\x', '\\\\server\\x', 'a/b.png', '..', '.', 'a\0.png', 'a\n.png', 'C:\\x']

  it.each(names)('refuses %j as the name of an output, wherever one is given', async (filename) => {
    const input = 'aaaaaaaaaaaaaaaaaaaaaaaa'
    const bodies = [
      ['convert', { input, output_format: 'png', filename }],
      ['merge', { input: [input, input], output_format: 'pdf', filename }],
      ['export/url', { input, filename }],
      ['import/url', { url: 'http://127.0.0.1:9/x', filename }],
    ] as const
    for (const [operation, json] of bodies) {
      expect((await range.api.post(`/v1/process/${operation}`, json)).status, operation).toBe(400)
    }
  })

  it.each(['../../x', 'png/../../x', '/etc/passwd', 'png\0', '..', 'png x'])(
    'refuses %j as a format',
    async (output_format) => {
      const json = { input: 'aaaaaaaaaaaaaaaaaaaaaaaa', output_format }
      expect((await range.api.post('/v1/process/convert', json)).status).toBe(400)
    },
  )

  it('puts no user input into a storage key', async () => {
    const { rows } = await range.stack.database.pool.query<{ key: string }>(
      'select key from files where key is not null',
    )
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter(({ key }) => !/^[0-9a-zA-Z]+(\/[0-9a-zA-Z-]+){1,4}$/.test(key))).toEqual([])
  })
})

describe('archives offered for download [C03]', () => {
  it('contain only regular files with plain, unique names', async () => {
    const { api } = range
    const given = [
      '../x.bmp',
      '/abs/x.bmp',
      'x.bmp',
      'X.bmp',
      'x.bmp',
      '..\\x.bmp',
      `${'n'.repeat(300)}.bmp`,
      'a\0b.bmp',
    ]
    const tasks: string[] = []
    for (const name of given) {
      const { body } = await rawUpload(api, await api.create('import/upload'), { name, content: bitmap() })
      tasks.push(body.id)
    }
    const task = await api.run('export/url', { input: tasks, archive_multiple_files: true })
    const names = [...(await openZip(await api.download(task.result.url))).keys()]
    expect(names).toHaveLength(given.length)
    expect(names.filter((name) => !isPlainName(name))).toEqual([])
    expect(new Set(names.map((name) => name.toLowerCase())).size, names.join()).toBe(given.length)
  })
})

describe('uploaders and sources that are slow or lie [B12]', () => {
  it('ends an upload that stalls, and one that sends less than its Content-Length', async () => {
    const { api } = range
    const task = await api.create('import/upload')
    const abort = new AbortController()
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(Buffer.from('x'))
        await pause(50)
      },
    })
    const url = task.result.form?.url ?? ''
    const sent = fetch(url, { method: 'POST', body, duplex: 'half', signal: abort.signal } as RequestInit)
    setTimeout(() => abort.abort(), 500)
    await expect(sent).rejects.toThrow()
    const metric = () => range.stack.apps('api')[0]?.metric('lathe_uploads')
    await expect.poll(metric, { timeout: 10_000 }).toBe(0)
    expect((await upload(api, task, bitmap(), { filename: 'x.bmp' })).status).toBe(200)
  })

  // What takes minutes in real time is tried with shorter limits where it is made: `slow sources` and `headers` of
  // packages/outbound/src/body.int.test.ts, and apps/api/src/plugins/idle-guard.int.test.ts for senders.
  it('fails an import whose source sends a short body, a bomb, endless redirects or too many headers [L-source-rate]', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 ** 2))
    await using server = await startFileServer({
      '/short.bmp': (_, response) => void response.writeHead(200, { 'content-length': '1000' }).end('x'),
      '/bomb.bmp': sends(bomb, { 'content-encoding': 'gzip' }),
      '/around.bmp': answers(302, { location: '/around.bmp' }),
      '/headers.bmp': (_, response) => {
        for (let n = 0; n < 1500; n++) response.setHeader(`x-${n}`, 'y'.repeat(60))
        response.end('x')
      },
    })
    const ends = await Promise.all(
      ['short', 'bomb', 'around', 'headers'].map((name) =>
        range.api.run('import/url', { url: `${server.url}/${name}.bmp` }),
      ),
    )
    const reasons = ends.map(({ status, result }) => `${status} ${result.reason}`)
    expect(reasons).toEqual([
      'failed source_unreachable',
      'failed limit_exceeded',
      'failed source_refused',
      'failed source_unreachable',
    ])
    expect(server.visits.get('/around.bmp')).toBe(6)
    await expectUnharmed(range)
  })
})

describe('vulnerabilities of similar services', () => {
  const input = 'aaaaaaaaaaaaaaaaaaaaaaaa'
  const statusOf = async (operation: string, json: object) =>
    (await range.api.post(`/v1/process/${operation}`, json)).status

  it('ConvertX CVE-2026-59976: an output named ../../x is written nowhere', async () => {
    expect(await statusOf('convert', { input, output_format: 'png', filename: '../../../app/x' })).toBe(400)
    expect(await statusOf('convert', { input, output_format: '../../x' })).toBe(400)
  })

  it('ConvertX CVE-2026-24741: a name with path traversal deletes nothing', async () => {
    for (const id of ['..%2f..%2fx', '%2e%2e%2fx', '../x', `${input}%2f..%2fx`]) {
      const { status } = await range.api.send('DELETE', `/v1/process/tasks/${id}`).catch(() => ({ status: 404 }))
      expect([400, 404, 405], id).toContain(status)
    }
  })

  it('Gotenberg GHSA-hwc4-gmrw-5222: an output name is not used as a path', async () => {
    expect(await statusOf('export/url', { input, filename: '/tmp/x' })).toBe(400)
  })

  it('Gotenberg GO-2026-5080: an option cannot be an expression that reads a file', async () => {
    const options = { pages: `1;/etc/passwd`, dpi: `import /etc/passwd` }
    for (const [name, value] of Object.entries(options)) {
      const json = { input, input_format: 'pdf', output_format: 'png', options: { [name]: value } }
      expect(await statusOf('convert', json), name).toBe(400)
    }
  })

  it('Jellyfin CVE-2026-35033, GHSA-866x-wj5j-2vf4, CVE-2021-29490: an option cannot become an FFmpeg argument', async () => {
    for (const value of ['h264 -i /etc/passwd', '-vf drawtext=textfile=/etc/passwd', 'copy;id']) {
      const json = { input, input_format: 'mp4', output_format: 'mkv', options: { video_codec: value } }
      expect(await statusOf('convert', json), value).toBe(400)
    }
  })
})

describe('bytes of the JSON body of a job, 16 MiB', () => {
  it.each(steps)('%s [L-body-files]', async (_, step) => {
    const frame = JSON.stringify({ tag: '' }).length
    const raw = JSON.stringify({ tag: 'x'.repeat(16 * 1024 ** 2 + step - frame) })
    const headers = { 'content-type': 'application/json' }
    const refused = range.api.refused('POST', '/v1/process/jobs', { raw, headers })
    // Who is refused from the head may find the connection closed before the rest was sent.
    const { errorCode } = await refused.catch((error: Error) => {
      if (/EPIPE|ECONNRESET/.test(String((error.cause as NodeJS.ErrnoException)?.code)))
        return { errorCode: 'body_too_large' }
      throw error
    })
    // A job without tasks is refused all the same, but for what it says.
    expect(errorCode).toBe(isWithin(step) ? 'invalid_request' : 'body_too_large')
  })
})
