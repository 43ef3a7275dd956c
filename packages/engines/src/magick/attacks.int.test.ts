import { once } from 'node:events'
import { access, readdir, symlink } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { isFailure } from '@lathe/domain'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyReading } from '../testing/every-reading.ts'
import { samplePictures, samplePng } from '../testing/sample-pictures.ts'
import { withText } from '../testing/sample-png-text.ts'
import { readable } from './decoders.ts'
import { magickStepLimits } from './limits.ts'
import { magickStep } from './magick-step.ts'

const token = 'CANARY-5c1f9a'
let bench: PlanBench
let samples: Readonly<Record<string, Buffer>>
let tripwire: Server
let hits = 0
let port = 0

beforeAll(async () => {
  bench = await openPlanBench()
  samples = await samplePictures(bench)
  tripwire = createServer((socket) => {
    hits++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(tripwire, 'listening')
  port = (tripwire.address() as { port: number }).port
})
afterAll(async () => {
  tripwire.close()
  await bench[Symbol.asyncDispose]()
})

async function convert(content: string | Uint8Array, from: string, { to = 'png', options = {} } = {}) {
  const end = await bench.run({ operation: 'convert', sources: [{ format: from, content }], to, options })
  if (isFailure(end)) return { code: end.code, text: end.text }
  return { code: 'done', bytes: end.files[0]?.bytes ?? Buffer.alloc(0) }
}

/** An engine that still works has not been harmed by what came before. */
async function stillWorks() {
  expect(await convert(samples.bmp ?? '', 'bmp')).toMatchObject({ code: 'done' })
  expect(hits).toBe(0)
}

/** Runs ImageMagick with words of an attacker's, under the policy of an ordinary run, beside a file it must not read. */
async function withWords(words: readonly string[], files: Readonly<Record<string, string | Uint8Array>> = {}) {
  await using folder = await bench.sandbox.createJobFolder()
  const step = magickStep({
    grant: { read: [{ name: 'bmp', module: 'BMP' }], write: [{ name: 'tiff', module: 'TIFF' }] },
    args: [...words, 'tiff:out-0.tiff'],
    outputs: ['out-0.tiff'],
    limits: magickStepLimits,
    blame: 'input',
  })
  const policy = step.writes?.[0]?.text ?? ''
  const all = { 'canary.txt': token, 'canary.bmp': samples.bmp ?? '', 'policy.xml': policy, ...files }
  for (const [name, content] of Object.entries(all)) {
    await using file = await folder.createFile(name)
    await file.writeFile(content)
  }
  await symlink('canary.txt', join(folder.path, 'link.bmp'))
  const end = await bench.sandbox.run(step, { folder, signal: new AbortController().signal, onLine: () => {} })
  const kept = await access(join(folder.path, 'canary.txt')).then(
    () => true,
    () => false,
  )
  return { end, kept, left: await readdir(folder.path) }
}

const mvg = (inside: string) => `push graphic-context\nviewbox 0 0 640 480\n${inside}\npop graphic-context\n`

describe('A01 scripts that call themselves pictures', () => {
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
    const content = script.replace('PORT', String(port))
    for (const format of formats) {
      const end = await convert(content, format, { to: 'jpg' })
      expect(end.code, format).toBe('input_damaged')
      expect(end.text ?? '').not.toContain(token)
    }
    await stillWorks()
  })
})

describe('A02 a PNG that names a file as its profile', () => {
  it.each(['png', 'heic', 'jxl', 'psd', 'bmp', 'ico', 'jp2'])('A02: carries nothing of it into %s', async (to) => {
    const png = withText(await samplePng(), 'profile', '/etc/passwd')
    for (const strip of [true, false]) {
      const end = await convert(png, 'png', { to, options: { strip, width: 40 } })
      expect(end.code).toBe('done')
      // All the root's /etc/passwd holds is one line, of nobody.
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

  it.each(words)('A03: denies %s', async (...given) => {
    const { end, kept, left } = await withWords(given, await files())
    expect(end).toMatchObject({ kind: 'exited', code: 1 })
    expect(kept).toBe(true)
    expect(left.filter((name) => name.startsWith('stolen'))).toEqual([])
    expect(hits).toBe(0)
  })

  it('A03: lets the run do what it is for, so that denial is no accident', async () => {
    expect(await withWords(['bmp:canary.bmp'])).toMatchObject({ end: { kind: 'exited', code: 0 } })
    const { left } = await withWords(['bmp:canary.bmp[0]'])
    expect(left).toContain('out-0.tiff')
  })

  it('A03: reads no text through a link that calls itself a picture', async () => {
    expect(await withWords(['bmp:link.bmp'])).toMatchObject({ end: { kind: 'exited', code: 1 } })
  })

  it('A03: takes no name of a user, so none can hold a prefix', async () => {
    for (const format of ['bmp', 'heic']) {
      const names = ['mvg:x', 'msl:x', 'fd:0', '-', '@file', 'caption:@x', 'x.png[0]', '%d.bmp', 'touch x |']
      for (const filename of names) {
        await using folder = await bench.sandbox.createJobFolder()
        // What a job folder will not take never becomes an argument either.
        if (/[^\w.-]/.test(filename) || filename.startsWith('-')) {
          await expect(folder.createFile(filename)).rejects.toThrow()
        }
      }
      expect((await convert(samples[format] ?? '', format)).code).toBe('done')
    }
  })
})

describe('A11 files for another program', () => {
  it('A11: DjVu metadata that calls itself a JPEG is refused, and nothing is run', async () => {
    const annotation = '(metadata (Copyright "\\\n" . qx{touch /job/pwned} . \\\n" b "))'
    const djvu = Buffer.concat([Buffer.from('AT&TFORM\0\0\0\x60DJVUANTa\0\0\0\x50'), Buffer.from(annotation)])
    for (const format of ['jpg', 'png', 'heic', 'bmp', 'psd'])
      expect((await convert(djvu, format)).code).toBe('input_damaged')
    await stillWorks()
  })
})

describe('A13 damaged pictures', () => {
  // What is cut may still show its first half in a format without an end mark; it must never be more than that.
  const fine = ['done', 'input_damaged', 'limit_exceeded', 'unsupported', 'engine_crashed']

  it.each(readable)('A13: %s cut short or with flipped bytes ends in a picture or a refusal', async (format) => {
    const whole = samples[format] ?? Buffer.alloc(0)
    expect((await convert('', format)).code).not.toBe('done')
    expect((await convert(whole.subarray(0, 12), format)).code).not.toBe('done')
    for (const share of [0.3, 0.9])
      expect(fine).toContain((await convert(whole.subarray(0, whole.length * share), format)).code)
    for (let seed = 1; seed <= 4; seed++) {
      const mutant = Buffer.from(whole)
      for (let n = 0; n < 8; n++)
        mutant[(seed * 7919 * (n + 1) ** 2) % Math.min(mutant.length, 600 * seed)] = seed * 31 + n
      expect(fine).toContain((await convert(mutant, format)).code)
    }
    await stillWorks()
  })
})

describe('A14 polyglots', () => {
  it.each(readable)('A14: what calls itself %s and is something else is refused', async (format) => {
    const other = format === 'bmp' ? samples.psd : samples.bmp
    expect((await convert(other ?? '', format)).code).not.toBe('done')
  })

  it.each(['bmp', 'heic', 'psd', 'jxl', 'ico'])(
    'A14: %s with a page, a program and an archive behind it loses them',
    async (format) => {
      const tail = '<?php system($_GET[0]) ?><html><script>alert(1)</script>PK\x03\x04evil'
      const end = await convert(Buffer.concat([samples[format] ?? Buffer.alloc(0), Buffer.from(tail)]), format, {
        to: 'jpg',
      })
      if (end.code !== 'done') return expect(end.code).toBe('input_damaged')
      expect(end.bytes?.includes('<?php')).toBe(false)
      expect(end.bytes?.includes('PK\x03\x04')).toBe(false)
    },
  )
})

describe('B02 pixel bombs', () => {
  const bombs: readonly (readonly [string, string, () => Buffer])[] = [
    ['a PNM of 65,535 squared', 'ppm', () => Buffer.from('P6 65535 65535 255\n')],
    ['a PNM of one very wide row', 'pgm', () => Buffer.from('P5 268402690 1 255\n')],
    [
      'a PAM',
      'pam',
      () => Buffer.from('P7\nWIDTH 65535\nHEIGHT 65535\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\n'),
    ],
    [
      'a BMP',
      'bmp',
      () =>
        patched('bmp', [
          [18, 4, 60_000],
          [22, 4, 60_000],
        ]),
    ],
    [
      'a Targa',
      'tga',
      () =>
        patched('tga', [
          [12, 2, 65_535],
          [14, 2, 65_535],
        ]),
    ],
    [
      'a Photoshop document',
      'psd',
      () =>
        patched('psd', [
          [14, -4, 29_000],
          [18, -4, 29_000],
        ]),
    ],
    [
      'a DirectDraw surface',
      'dds',
      () =>
        patched('dds', [
          [12, 4, 60_000],
          [16, 4, 60_000],
        ]),
    ],
    ['a Radiance picture', 'hdr', () => Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 65535 +X 65535\n')],
    [
      'a GIMP image',
      'xcf',
      () =>
        patched('xcf', [
          [14, -4, 60_000],
          [18, -4, 60_000],
        ]),
    ],
    ['a JPEG 2000', 'jp2', () => hugeJp2()],
    ['an SGI image', 'sgi', () => patched('sgi', sides(6, -2, 65_535))],
    ['a Sun raster', 'ras', () => patched('ras', sides(4, -4, 60_000))],
    ['a QOI', 'qoi', () => patched('qoi', sides(4, -4, 60_000))],
    ['an animation', 'fli', () => patched('fli', sides(8, 2, 65_535))],
    ['a page of Paintbrush', 'dcx', () => patched('dcx', sides(20, 2, 65_535))],
    ['a float map', 'pfm', () => Buffer.from('Pf\n65535 65535\n-1.0\n')],
    [
      'a telescope',
      'fits',
      () => Buffer.from(String(samples.fits).replace(/ {2}160(.{57,77}) {2}120/s, '99999$199999')),
    ],
    ['a cursor with a bitmap of 65,535 squared', 'cur', () => hugeCursor()],
  ]

  it.each(bombs)('B02: %s is refused from its header', async (_, format, bomb) => {
    const started = performance.now()
    const { code } = await convert(bomb(), format)
    expect(['limit_exceeded', 'input_damaged']).toContain(code)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('B02: a header within the limit with nothing behind it ends soon', async () => {
    const { code } = await convert('P6 16000 16000 255\n', 'ppm')
    expect(['input_damaged', 'limit_exceeded', 'engine_crashed']).toContain(code)
    await stillWorks()
  })

  it('B02: a picture made huge by its options is refused before it is made', async () => {
    expect((await convert(await narrow(), 'png', { to: 'bmp', options: { width: 16_383 } })).code).toBe(
      'limit_exceeded',
    )
  })
})

/** Width and height, one after the other. */
function sides(at: number, bytes: number, value: number): [number, number, number][] {
  return [
    [at, bytes, value],
    [at + Math.abs(bytes), bytes, value],
  ]
}

function hugeCursor(): Buffer {
  const bitmap = Buffer.alloc(176)
  bitmap.writeUInt32LE(40, 0)
  bitmap.writeUInt32LE(65_535, 4)
  bitmap.writeUInt32LE(65_535, 8)
  bitmap.writeUInt16LE(1, 12)
  bitmap.writeUInt16LE(1, 14)
  const entry = Buffer.from([16, 16, 2, 0, 1, 0, 1, 0, 176, 0, 0, 0, 22, 0, 0, 0])
  return Buffer.concat([Buffer.from([0, 0, 2, 0, 1, 0]), entry, bitmap])
}

describe('B03 pictures without end', () => {
  it('B03: an icon that promises 65,535 sizes is refused', async () => {
    const head = Buffer.alloc(6)
    head.writeUInt16LE(1, 2)
    head.writeUInt16LE(65_535, 4)
    const entry = Buffer.from([16, 16, 0, 0, 1, 0, 32, 0, 0x68, 4, 0, 0, 22, 0, 0, 0])
    const icon = Buffer.concat([head, ...Array.from({ length: 65_535 }, () => entry)])
    expect(['limit_exceeded', 'input_damaged']).toContain((await convert(icon, 'ico')).code)
  })

  it('B03: a PNM of 2,001 pictures is too long for ImageMagick, and the next decoder reads its first alone', async () => {
    const many = Buffer.concat(Array.from({ length: 2001 }, () => Buffer.from('P5 1 1 255\n\0', 'latin1')))
    const { code, bytes } = await convert(many, 'pgm')
    expect(code).toBe('done')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1, height: 1 })
  })
})

function narrow(): Promise<Buffer> {
  return sharp({ create: { width: 1, height: 20_000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
}

/** A sample with numbers of its header changed: offset, bytes (negative: most significant first), value. */
function patched(format: string, numbers: readonly (readonly [number, number, number])[]): Buffer {
  const bytes = Buffer.from(samples[format] ?? Buffer.alloc(0))
  for (const [at, width, value] of numbers) {
    if (width < 0) bytes.writeUIntBE(value, at, -width)
    else bytes.writeUIntLE(value, at, width)
  }
  return bytes
}

/** A JPEG 2000 file whose boxes and code stream both claim 65,535 squared. */
function hugeJp2(): Buffer {
  const bytes = Buffer.from(samples.jp2 ?? Buffer.alloc(0))
  const box = bytes.indexOf('ihdr') + 4
  bytes.writeUInt32BE(65_535, box)
  bytes.writeUInt32BE(65_535, box + 4)
  const size = bytes.indexOf(Buffer.from([0xff, 0x51])) + 6
  for (const at of [0, 4, 16, 20]) bytes.writeUInt32BE(65_535, size + at)
  return bytes
}
