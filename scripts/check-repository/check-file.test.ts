import { describe, expect, it } from 'vitest'
import { checkFile } from './check-file.ts'

const texts = (path: string, content: string) => checkFile(path, content).map(({ text }) => text)

describe('checkFile', () => {
  it('finds nothing wrong with an ordinary file', () => {
    expect(checkFile('packages/domain/src/retry.ts', 'export const tries = 3\n')).toEqual([])
  })

  it('wants long sources split, but not long tables of data elsewhere', () => {
    const long = 'x\n'.repeat(401)
    expect(texts('packages/domain/src/retry.ts', long)).toEqual(['has 401 lines; split it before 400'])
    expect(texts('docs/table.md', long)).toEqual([])
    expect(texts('packages/sdk/src/generated/types.ts', long)).toEqual([])
  })

  it('wants an issue for what is left to do', () => {
    const word = ['TO', 'DO'].join('')
    expect(texts('a/src/b.ts', `// ${word} later`)).toHaveLength(1)
    expect(texts('a/src/b.ts', `// ${word}(#12) later`)).toEqual([])
  })

  it('wants properties of operations read, not their names compared', () => {
    const compare = (name: string, by = '===') => `if (operation ${by} '${name}') return`
    expect(texts('apps/web/src/a.tsx', compare('merge'))).toHaveLength(1)
    expect(texts('packages/engines/src/vips/encode.mjs', compare('compress', '!=='))).toHaveLength(1)
    expect(texts('apps/worker/src/a.ts', compare('watermark'))).toEqual([
      "compares with 'watermark'; read a property of the operation's definition",
    ])
    expect(texts('apps/web/src/a.ts', compare('import/upload'))).toHaveLength(1)
    const statement = "select id from tasks where operation = 'import/upload'"
    expect(texts('packages/database/src/queries/a.ts', statement)).toHaveLength(1)
    expect(texts('packages/database/src/queries/a.ts', 'where operation = any($1)')).toEqual([])
    expect(texts('bench/src/a.ts', statement)).toEqual([])
    expect(texts('packages/engines/src/pdf/pdf.ts', compare('watermark'))).toEqual([])
    expect(texts('packages/operations/src/process/merge.ts', compare('merge'))).toEqual([])
    expect(texts('apps/api/src/a.ts', "const isZip = name === 'archive'")).toEqual([])
  })

  it('wants no engine named outside of its package', () => {
    expect(texts('apps/worker/src/a.ts', '// Chromium is slow.')).toEqual([
      'names the engine Chromium; use what its definition says',
    ])
    expect(texts('packages/sandbox/README.md', 'LibreOffice hangs.')).toHaveLength(1)
    expect(texts('packages/engines/src/magick/policy.ts', '// ImageMagick reads it.')).toEqual([])
    expect(texts('apps/worker/src/a.int.test.ts', "'LibreOffice'")).toEqual([])
    expect(texts('docs/attacks.md', 'ImageMagick')).toEqual([])
  })

  it('wants words of the field in what people read, but leaves migrations as they were written', () => {
    const word = ['fi', 'lm'].join('')
    expect(texts('docs/a.md', `Convert a ${word}.`)).toEqual([`says "${word}"; say: video`])
    expect(texts('packages/database/migrations/0001-a.sql', `-- Convert a ${word}.`)).toEqual([])
    expect(texts('apps/web/src/locales/de.json', `Ein ${word}`)).toEqual([])
  })

  it('reads pages of the guide and scripts too, but lets titles of tests be', () => {
    const word = ['is', 'told'].join(' ')
    for (const path of ['apps/guide/src/content/docs/a.mdx', 'clients/python/src/a.py', 'packages/a/src/a.mjs'])
      expect(texts(path, `What a client ${word}.`)).toEqual([
        `says "${word}"; say: is sent, is notified, is configured`,
      ])
    expect(texts('docs/a.md', `They ${['are', 'told'].join(' ')} apart by their head.`)).toEqual([])
    expect(texts('packages/a/src/a.test.ts', `it('${word} what it did', () => undefined)`)).toEqual([])
    expect(texts('docs/a.md', `The service ${['goes', 'on', 'meanwhile'].join(' ')}.`)).toHaveLength(1)
    expect(texts('docs/a.md', `They ${['do what they', 'say'].join(' ')}.`)).toHaveLength(1)
  })

  it('says which line names a package host', () => {
    const host = ['registry', 'example', 'org'].join('.')
    expect(checkFile('.npmrc', `fund=false\nregistry=https://${host}/\n`)).toMatchObject([{ path: '.npmrc', line: 2 }])
    expect(texts('docs/a.md', 'see `src/registry.test.ts`')).toEqual([])
  })

  it('refuses a lock file that names the host its packages came from', () => {
    const lock = (resolved: string) => `{ "packages": { "a": {\n  "resolved": "${resolved}"\n} } }`
    expect(texts('package-lock.json', lock('https://packages.example.org/a/-/a-1.0.0.tgz'))).toEqual([
      'is locked to the host https://packages.example.org',
    ])
    expect(texts('package-lock.json', lock('packages/domain'))).toEqual([])
  })

  it('wants a package named by its folder and kept private', () => {
    expect(texts('packages/queue/package.json', '{"name":"@lathe/quee"}')).toHaveLength(2)
    expect(texts('packages/queue/package.json', '{"name":"@lathe/queue","private":true}')).toEqual([])
  })
})

it('demands a hash for each package that an installation may load', () => {
  const lock = (locked: object) =>
    JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', ...locked } } }, undefined, 2)
  const faults = (locked: object) => checkFile('package-lock.json', lock(locked)).map(({ text }) => text)
  expect(faults({ integrity: 'sha512-AA==' })).toEqual([])
  expect(faults({})).toEqual([expect.stringContaining('has no integrity for node_modules/a')])
  expect(faults({ dev: true })).toHaveLength(1)
  expect(faults({ os: ['linux'], cpu: ['arm64'] })).toHaveLength(1)
  expect(faults({ os: ['darwin'], cpu: ['arm64'] })).toEqual([])
})

it('demands the commit of an action', () => {
  const faults = (line: string) => checkFile('.github/workflows/a.yml', `      - uses: ${line}\n`)
  expect(faults(`actions/checkout@${'a1'.repeat(20)} # v5.1.0`)).toEqual([])
  expect(faults('actions/checkout@v5')).toHaveLength(1)
  expect(faults('pypa/publish@release/v1')).toHaveLength(1)
})
