import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { faultsOf, onlyText, pathsOf } from '../testing/faults-of.ts'
import { parseTask } from './parse-task.ts'

const inJob = { inJob: true, path: 'tasks.a', name: 'a' }

/** The errors of a task, except the one about its missing connector. */
function faultPaths(...request: Parameters<typeof parseTask>): string[] {
  return pathsOf(() => parseTask(...request)).filter((path) => !path.endsWith('operation'))
}

describe('import/url', () => {
  it('needs url [S-imp-09]', () => {
    expect(faultPaths('import/url', {})).toEqual(['url'])
  })

  it('takes http and https', () => {
    expect(faultPaths('import/url', { url: 'http://a.example/b' })).toEqual([])
    expect(faultPaths('import/url', { url: 'HTTPS://a.example/b?c#d' })).toEqual([])
  })

  it('refuses a scheme other than http and https [D-op-41]', () => {
    for (const url of [
      'ftp://a.example/b',
      'file:///etc/passwd',
      'data:text/plain,x',
      'gopher://a',
      'a.example/b',
      '//a/b',
      '',
    ]) {
      expect(faultPaths('import/url', { url })).toEqual(['url'])
    }
  })

  it('shows a password in the address as *** [D-shape-04]', () => {
    const { payload, parameters } = parseTask('import/url', { url: 'https://me:p@ss:word@a.example/b' })
    expect(payload.url).toBe('https://me:***@a.example/b')
    expect(parameters.url).toBe('https://me:p@ss:word@a.example/b')
  })

  it('shows an address without a password exactly as sent', () => {
    const url = 'HTTPS://A.example:443/b/../c?d=%7e'
    expect(parseTask('import/url', { url }).payload.url).toBe(url)
  })

  it('masks a password however the address is spelled [D-shape-04]', () => {
    for (const url of ['http:\\\\u:hunter2@a.example', 'http:u:hunter2@a.example', 'ht\ntp://u:hunter2@a.example']) {
      expect(JSON.stringify(parseTask('import/url', { url }).payload)).not.toContain('hunter2')
    }
  })
})

describe('filename', () => {
  it('is accepted on every import [S-imp-10, D-op-38]', () => {
    const bodies = {
      'import/upload': {},
      'import/url': { url: 'https://a.example/b' },
      'import/base64': { file: 'data:text/plain;base64,aGk=' },
      'import/webpage': { url: 'https://a.example/b' },
      capture: { url: 'https://a.example/b' },
    } as const
    for (const [operation, body] of Object.entries(bodies)) {
      expect(faultPaths(operation as keyof typeof bodies, { ...body, filename: 'a.txt' })).toEqual([])
    }
  })

  it('refuses a slash or a control character [D-op-39]', () => {
    for (const filename of ['a/b.jpg', 'a\\b.jpg', 'a\nb.jpg', 'a\u007fb', 'a\u0085b', '..', '.']) {
      expect(faultPaths('import/upload', { filename })).toEqual(['filename'])
    }
  })

  it('refuses a name of nothing but blanks and dots', () => {
    expect(faultPaths('import/upload', { filename: ' . ..' })).toEqual(['filename'])
  })

  it('holds at most 255 characters', () => {
    expect(faultPaths('import/upload', { filename: 'ä'.repeat(255) })).toEqual([])
    expect(faultPaths('import/upload', { filename: 'a'.repeat(256) })).toEqual(['filename'])
  })
})

describe('import/base64', () => {
  const valid = { file: 'data:text/plain;base64,aGVsbG8=', filename: 'hello.txt' }
  const withData = (data: string) => ({ ...valid, file: `data:text/plain;base64,${data}` })

  it('returns the content separately and empties it in the payload [S-task-06, D-shape-05]', () => {
    const task = parseTask('import/base64', valid)
    expect(task.content).toBe('aGVsbG8=')
    expect(task.payload).toEqual({ file: '', filename: 'hello.txt' })
    expect(task.parameters).toEqual({ file: '', filename: 'hello.txt' })
  })

  it('needs file and filename [S-imp-11, S-imp-13]', () => {
    expect(faultPaths('import/base64', {})).toEqual(['file', 'filename'])
  })

  it('refuses what is not a data URI [S-imp-11, D-op-44]', () => {
    for (const file of ['aGVsbG8=', 'data:text/plain,hello', 'data:;base64', 'http://a.example']) {
      expect(faultPaths('import/base64', { ...valid, file })).toEqual(['file'])
    }
  })

  it('takes a media type with parameters, and none', () => {
    for (const head of ['data:text/plain;charset=utf-8;base64,', 'data:;base64,', 'DATA:image/png;BASE64,']) {
      expect(faultPaths('import/base64', { ...valid, file: `${head}aGVsbG8=` })).toEqual([])
    }
  })

  it('refuses a file name without an extension [S-imp-13, D-op-44]', () => {
    expect(onlyText(() => parseTask('import/base64', { ...valid, filename: 'hello' }))).toMatch(
      /^filename: needs an extension/,
    )
  })

  it('accepts at most 1,572,864 characters after the comma [S-imp-12, S-lim-03, D-op-43]', () => {
    expect(limits.base64Chars).toBe(1_572_864)
    expect(faultPaths('import/base64', withData('A'.repeat(1_572_864)))).toEqual([])
    expect(faultPaths('import/base64', withData('A'.repeat(1_572_865)))).toEqual(['file'])
  })

  it('refuses data that is not base64, and no data', () => {
    for (const data of ['a GVs', 'aGVsb', 'a=GVs', '====', 'aGVs_-', '']) {
      expect(faultPaths('import/base64', withData(data))).toEqual(['file'])
    }
  })

  it('takes data without its padding', () => {
    expect(faultPaths('import/base64', withData('aGVsbG8'))).toEqual([])
  })
})

describe('import/objstore_a', () => {
  const access = { bucket: 'b', region: 'r', access_key_id: 'i', secret_access_key: 's' }

  it('needs bucket, region, both parts of the access key, and key [S-imp-17]', () => {
    expect(faultPaths('import/objstore_a', {})).toEqual(['bucket', 'region', 'access_key_id', 'secret_access_key'])
    expect(faultPaths('import/objstore_a', access)).toEqual(['key'])
    expect(faultPaths('import/objstore_a', { ...access, key: 'a/b.jpg', endpoint: 'https://s3.example' })).toEqual([])
  })

  it('takes key_prefix instead of key inside a job [S-jobs-15, S-imp-18]', () => {
    expect(faultPaths('import/objstore_a', { ...access, key_prefix: 'a/' }, inJob)).toEqual([])
  })

  it('treats an empty key next to key_prefix as absent, and vice versa (C8)', () => {
    expect(faultPaths('import/objstore_a', { ...access, key: '', key_prefix: 'a/' }, inJob)).toEqual([])
    expect(faultPaths('import/objstore_a', { ...access, key: 'a', key_prefix: '' })).toEqual([])
  })

  it('refuses key_prefix outside a job [S-imp-18, D-op-35]', () => {
    expect(faultPaths('import/objstore_a', { ...access, key_prefix: 'a/' })).toEqual(['key_prefix'])
  })

  it('refuses key and key_prefix together [D-op-35]', () => {
    expect(faultPaths('import/objstore_a', { ...access, key: 'a', key_prefix: 'a/' }, inJob)).toEqual([
      'tasks.a.key_prefix',
    ])
  })

  it('refuses an endpoint that is not http or https [S-imp-19]', () => {
    expect(faultPaths('import/objstore_a', { ...access, key: 'a', endpoint: 'ftp://s3.example' })).toEqual(['endpoint'])
  })
})

describe('import/objstore_b', () => {
  it('needs project_id, bucket, client_email, private_key and file [S-imp-14]', () => {
    expect(faultPaths('import/objstore_b', {})).toEqual(['project_id', 'bucket', 'client_email', 'private_key', 'file'])
  })
})

describe('import/blobstore', () => {
  const place = { container: 'c', storage_account: 'a', blob: 'b.jpg' }

  it('needs container, storage_account and blob [S-imp-15]', () => {
    expect(faultPaths('import/blobstore', { sas_token: 't' })).toEqual(['container', 'storage_account', 'blob'])
  })

  it('takes a shared-access token, an access key, or both [S-imp-16]', () => {
    expect(faultPaths('import/blobstore', { ...place, sas_token: 't' })).toEqual([])
    expect(faultPaths('import/blobstore', { ...place, storage_access_key: 'k' })).toEqual([])
    expect(faultPaths('import/blobstore', { ...place, sas_token: 't', storage_access_key: 'k' })).toEqual([])
  })

  it('treats an empty token or access key as absent (C8)', () => {
    expect(faultPaths('import/blobstore', { ...place, sas_token: 't', storage_access_key: '' })).toEqual([])
    expect(faultPaths('import/blobstore', { ...place, sas_token: null, storage_access_key: 'k' })).toEqual([])
    expect(faultPaths('import/blobstore', { ...place, sas_token: '', storage_access_key: null })).toEqual([
      'storage_access_key',
    ])
  })

  it('refuses neither a token nor an access key [S-imp-16, D-op-36]', () => {
    expect(faultPaths('import/blobstore', place)).toEqual(['storage_access_key'])
  })
})

describe('import/sftp', () => {
  const server = { host: 'files.example', username: 'u', file_string: '/a.jpg' }

  it('needs host, username and file_string [S-imp-20]', () => {
    expect(faultPaths('import/sftp', { password: 'p' })).toEqual(['host', 'username', 'file_string'])
  })

  it('takes a password, a private key, or both [S-imp-22]', () => {
    expect(faultPaths('import/sftp', { ...server, password: 'p' })).toEqual([])
    expect(faultPaths('import/sftp', { ...server, private_key: 'k', host_key: 'ssh-ed25519 AAAA' })).toEqual([])
    expect(faultPaths('import/sftp', { ...server, private_key: 'k', password: 'p' })).toEqual([])
  })

  it('treats an empty password or private key as absent (C8)', () => {
    expect(faultPaths('import/sftp', { ...server, password: '', private_key: 'k' })).toEqual([])
    expect(faultPaths('import/sftp', { ...server, password: 'p', private_key: null, port: '' })).toEqual([])
  })

  it('refuses neither a password nor a private key [S-imp-22, D-op-37]', () => {
    expect(faultPaths('import/sftp', server)).toEqual(['password'])
  })

  it('takes host and port as string or number [S-imp-21, D-http-17]', () => {
    for (const [host, port] of [
      ['files.example', '2222'],
      [2130706433, 2222],
    ]) {
      expect(faultPaths('import/sftp', { ...server, password: 'p', host, port })).toEqual([])
    }
  })

  it('refuses a port outside 1 to 65535', () => {
    for (const port of [0, 65_536, -1, 2.5, '0', '99999', 'ssh']) {
      expect(faultPaths('import/sftp', { ...server, password: 'p', port })).toEqual(['port'])
    }
  })
})

describe('import/webpage', () => {
  it('needs url, of http or https [S-imp-23]', () => {
    expect(faultPaths('import/webpage', {})).toEqual(['url'])
    expect(faultPaths('import/webpage', { url: 'ftp://a.example' })).toEqual(['url'])
    expect(faultPaths('import/webpage', { url: 'https://a.example' })).toEqual([])
  })

  it.each([
    ['viewport_width', [64, 4096], [63, 4097, 1.5, 'wide']],
    ['viewport_height', [64, 4096], [63, 4097, 1.5, 'high']],
    ['wait_ms', [0, 10_000], [-1, 10_001, 0.5, 'long']],
    ['media', ['screen', 'print'], ['paper', 1]],
  ])('takes %s within its bounds [S-imp-25, L-page-time, L-page-window]', (name, good, bad) => {
    const faults = (value: unknown) => faultPaths('import/webpage', { url: 'https://a.example', [name]: value })
    for (const value of good) expect(faults(value)).toEqual([])
    for (const value of bad) expect(faults(value)).toEqual([name])
  })
})

describe('capture', () => {
  it('needs url, of http or https [S-imp-29]', () => {
    expect(faultPaths('capture', {})).toEqual(['url'])
    expect(faultPaths('capture', { url: 'ftp://a.example' })).toEqual(['url'])
    expect(faultPaths('capture', { url: 'https://a.example' })).toEqual([])
  })

  it.each([
    ['output_format', ['pdf', 'png', 'jpg', 'mhtml'], ['html', 'PDF', 1]],
    ['viewport_width', [64, 4096], [63, 4097, 1.5, 'wide']],
    ['viewport_height', [64, 4096], [63, 4097, 1.5, 'high']],
    ['wait_ms', [0, 10_000], [-1, 10_001, 0.5, 'long']],
    ['media', ['screen', 'print'], ['paper', 1]],
    ['paper_size', ['a3', 'tabloid'], ['a0', 4]],
    ['orientation', ['portrait', 'landscape'], ['upright']],
    ['margin', [0, 12.5, 50], [-0.1, 50.1, '10']],
    ['print_background', [true, false], ['true', 1]],
    ['scale', [0.1, 2], [0.09, 2.01, '1']],
    ['pages', ['1', '1-3,5,8-'], ['all', '1;2', '1-3,']],
  ])('takes %s within its bounds [S-imp-29]', (name, good, bad) => {
    const faults = (value: unknown) => faultPaths('capture', { url: 'https://a.example', [name]: value })
    for (const value of good) expect(faults(value)).toEqual([])
    for (const value of bad) expect(faults(value)).toEqual([name])
  })

  it('takes full_page and quality within their bounds', () => {
    const faults = (fields: object) =>
      faultPaths('capture', { url: 'https://a.example', output_format: 'jpg', ...fields })
    for (const quality of [1, 100]) expect(faults({ quality, full_page: false })).toEqual([])
    for (const quality of [0, 101, 50.5, '50']) expect(faults({ quality })).toEqual(['quality'])
    expect(faults({ full_page: 'no' })).toEqual(['full_page'])
  })

  it.each([
    ['one below', 499, []],
    ['the limit', 500, []],
    ['one above', 501, ['wait_for']],
  ])('characters of wait_for, 500: %s [L-page-selector]', (_, length, faults) => {
    expect(faultPaths('capture', { url: 'https://a.example', wait_for: 'a'.repeat(length) })).toEqual(faults)
  })

  it.each([
    ['one below', 199, []],
    ['the limit', 200, []],
    ['one above', 201, ['header', 'footer']],
  ])('characters of a header or footer, 200: %s [L-page-header]', (_, length, faults) => {
    const text = 'ä'.repeat(length)
    expect(faultPaths('capture', { url: 'https://a.example', header: text, footer: text })).toEqual(faults)
  })

  it('refuses a header of several lines', () => {
    expect(faultPaths('capture', { url: 'https://a.example', header: 'a\nb' })).toEqual(['header'])
  })
})

describe('exports to a store [D-op-46]', () => {
  const target = { input: '66f2c1a0000100a1b2c3d4e5', container: 'c', storage_account: 'a', sas_token: 't' }

  it('take a target path with {name}, {ext} and {task}', () => {
    expect(faultPaths('export/blobstore', { ...target, blob: 'out/{task}/{name}.{ext}' })).toEqual([])
  })

  it('refuse another placeholder', () => {
    const fault = faultsOf(() => parseTask('export/blobstore', { ...target, blob: '{date}/{name}' })).at(-1)
    expect(fault).toEqual({ path: 'blob', msg: 'holds {date}. Placeholders: {name}, {ext}, {task}.' })
  })

  it('take credentials as their imports do', () => {
    expect(faultPaths('export/sftp', { input: target.input, host: 'h', username: 'u', file_string: '/o' })).toEqual([
      'password',
    ])
  })
})
