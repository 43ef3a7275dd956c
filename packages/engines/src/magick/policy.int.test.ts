import { access, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { magickStepLimits } from '../pictures/decoder-limits.ts'
import { magickStep } from '../pictures/magick-step.ts'
import { everyReading } from '../testing/every-reading.ts'
import { openPictureAttacks, type PictureAttacks } from '../testing/picture-attacks.ts'
import { samplePng } from '../testing/sample-pictures.ts'
import { withText } from '../testing/sample-png-text.ts'

const token = 'CANARY-5c1f9a'
let given: PictureAttacks
beforeAll(async () => {
  given = await openPictureAttacks()
})
afterAll(() => given[Symbol.asyncDispose]())

/** Runs ImageMagick with an attacker's arguments under the policy of a normal run, with a file it must not read. */
async function withWords(words: readonly string[], files: Readonly<Record<string, string | Uint8Array>> = {}) {
  await using folder = await given.bench.sandbox.createJobFolder()
  const step = magickStep({
    grant: { read: [{ name: 'bmp', module: 'BMP' }], write: [{ name: 'tiff', module: 'TIFF' }] },
    args: [...words, 'tiff:out-0.tiff'],
    outputs: ['out-0.tiff'],
    limits: magickStepLimits,
    blame: 'input',
  })
  const policy = step.writes?.[0]?.text ?? ''
  const all = { 'canary.txt': token, 'canary.bmp': given.samples.bmp ?? '', 'policy.xml': policy, ...files }
  for (const [name, content] of Object.entries(all)) {
    await using file = await folder.createFile(name)
    await file.writeFile(content)
  }
  await symlink('canary.txt', join(folder.path, 'link.bmp'))
  const end = await given.bench.sandbox.run(step, { folder, signal: new AbortController().signal, onLine: () => {} })
  const kept = await access(join(folder.path, 'canary.txt')).then(
    () => true,
    () => false,
  )
  return { end, kept, left: await readdir(folder.path) }
}

const mvg = (inside: string) => `push graphic-context\nviewbox 0 0 640 480\n${inside}\npop graphic-context\n`

describe('A01 scripts with names of images', () => {
  const scripts = [
    ['a file shown as text', mvg("image over 0,0 0,0 'text:/etc/passwd'")],
    ['a label from a file', mvg("image over 0,0 0,0 'label:@/etc/passwd'")],
    ['a script in a script', mvg("image over 0,0 0,0 'msl:in-0.msl'")],
    ['a file to be deleted', mvg("image over 0,0 0,0 'ephemeral:/job/in-0.png'")],
    ['an address', mvg("image over 0,0 0,0 'https://127.0.0.1:PORT/x'")],
    ['a command', mvg(`fill 'url(https://127.0.0.1:PORT/"|touch "/job/pwned)'`)],
  ] as const
  const formats = ['png', 'bmp', 'heic', 'psd', 'ico', 'tga', 'ppm', 'xcf']

  it.each(scripts)('A01: %s is never run, whatever the file is called', async (_, script) => {
    const content = script.replace('PORT', String(given.tripwire.port))
    const ends = await Promise.all(formats.map((format) => given.convert(content, format, { to: 'jpg' })))
    for (const [n, end] of ends.entries()) {
      expect(end.code, formats[n]).toBe('input_damaged')
      expect(end.text ?? '').not.toContain(token)
    }
    await given.stillWorks()
  })
})

describe('A02 a PNG that names a file as its profile', () => {
  it.each(['png', 'heic', 'jxl', 'psd', 'bmp', 'ico', 'jp2'])('A02: carries nothing of it into %s', async (to) => {
    const png = withText(await samplePng(), 'profile', '/etc/passwd')
    for (const strip of [true, false]) {
      const end = await given.convert(png, 'png', { to, options: { strip, width: 40 } })
      expect(end.code).toBe('done')
      // The only line in the root's /etc/passwd is for the user nobody.
      for (const text of everyReading(end.bytes ?? Buffer.alloc(0))) expect(text).not.toMatch(/nologin|6e6f6c6f67696e/i)
    }
  })
})

describe('A03 the policy', () => {
  const words: readonly (readonly string[])[] = [
    ['mvg:script.mvg'],
    ['msl:script.msl'],
    ['script.mvg'],
    ['text:canary.txt'],
    ['txt:canary.txt'],
    ['label:@canary.txt'],
    ['caption:@canary.txt'],
    ['pango:@canary.txt'],
    ['label:x'],
    ['@canary.txt'],
    ['vid:*.bmp'],
    ['fd:0'],
    ['-'],
    ['bmp:-'],
    ['inline:data:image/bmp;base64,Qk0='],
    ['ephemeral:canary.txt'],
    ['file:///job/canary.txt'],
    ['https://127.0.0.1:1/x'],
    ['http://127.0.0.1:1/x'],
    ['ftp://127.0.0.1:1/x'],
    ['gradient:red-blue'],
    ['xc:red'],
    ['svg:script.svg'],
    ['msvg:script.svg'],
    ['ps:script.ps'],
    ['pdf:script.ps'],
    ['png:sample.png'],
    ['sample.png'],
    ['tiff:sample.png'],
    ['clip:canary.txt'],
    ['mpc:canary.txt'],
    ['miff:canary.txt'],
    ['canary.bmp', '-write', 'png:stolen.png'],
    ['canary.bmp', '-write', 'txt:stolen.txt'],
    ['canary.bmp', '-write', 'mvg:stolen.mvg'],
    ['canary.bmp', '-write', 'show:'],
    ['canary.bmp', '-write', 'bmp:stolen.bmp'],
    ['canary.bmp', '-write', '|touch stolen.txt'],
  ]
  const files = async () => ({
    'script.mvg': mvg("image over 0,0 0,0 'text:canary.txt'"),
    'script.msl': '<image><read filename="canary.bmp"/><write filename="bmp:stolen.bmp"/></image>',
    'script.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="canary.bmp"/></svg>',
    'script.ps': '%!PS\n(canary.txt) (r) file\n',
    'sample.png': await samplePng(),
  })

  it.each(words)('A03: denies %s', async (...asked) => {
    const { end, kept, left } = await withWords(asked, await files())
    expect(end).toMatchObject({ kind: 'exited', code: 1 })
    expect(kept).toBe(true)
    expect(left.filter((name) => name.startsWith('stolen'))).toEqual([])
    expect(given.tripwire.hits()).toBe(0)
  })

  it('A03: allows the intended run, so that denials mean something', async () => {
    expect(await withWords(['bmp:canary.bmp'])).toMatchObject({ end: { kind: 'exited', code: 0 } })
    const { left } = await withWords(['bmp:canary.bmp[0]'])
    expect(left).toContain('out-0.tiff')
  })

  it('A03: reads no text through a link that claims to be an image', async () => {
    expect(await withWords(['bmp:link.bmp'])).toMatchObject({ end: { kind: 'exited', code: 1 } })
  })

  it('A03: uses no file name of a user, so that none can contain a prefix', async () => {
    for (const format of ['bmp', 'heic']) {
      const names = ['mvg:x', 'msl:x', 'fd:0', '-', '@file', 'caption:@x', 'x.png[0]', '%d.bmp', 'touch x |']
      for (const filename of names) {
        await using folder = await given.bench.sandbox.createJobFolder()
        // A name that the job folder refuses never becomes an argument.
        if (/[^\w.-]/.test(filename) || filename.startsWith('-')) {
          await expect(folder.createFile(filename)).rejects.toThrow()
        }
      }
      expect((await given.convert(given.samples[format] ?? '', format)).code).toBe('done')
    }
  })
})

describe('A11 files for another program', () => {
  it('A11: DjVu metadata that calls itself a JPEG is refused, and nothing is run', async () => {
    const annotation = '(metadata (Copyright "\\\n" . qx{touch /job/pwned} . \\\n" b "))'
    const djvu = Buffer.concat([Buffer.from('AT&TFORM\0\0\0\x60DJVUANTa\0\0\0\x50'), Buffer.from(annotation)])
    const formats = ['jpg', 'png', 'heic', 'bmp', 'psd']
    const ends = await Promise.all(formats.map((format) => given.convert(djvu, format)))
    expect(ends.map(({ code }) => code)).toEqual(formats.map(() => 'input_damaged'))
    await given.stillWorks()
  })
})
