import { bitmap } from '../../../../fixtures/attacks/bitmap.ts'
import { magickScripts } from '../../../../fixtures/attacks/magick-scripts.ts'
import type { Attack, Variant } from '../support/attack.ts'

/** Formats that ImageMagick reads and that cannot be detected from content, so that a script could have their name. */
const unproven = ['x.tga', 'x.pcx', 'x.ppm', 'x.bmp', 'x.ico', 'x.hdr'] as const

const prefixes = (file: string) => [
  'mvg:x.bmp',
  'msl:x.bmp',
  'fd:0',
  '-',
  `@${file.replaceAll('/', ' ')}`,
  'caption:@x.bmp',
  'pango:@x.bmp',
  'vid:x.bmp',
  'x.bmp[0]',
  'x.bmp[99999x99999]',
  '%d.bmp',
  'x%05d.bmp',
  'inline:x.bmp',
  'ephemeral:x.bmp',
]

const policies: Attack = {
  id: 'A03',
  title: 'ImageMagick takes neither names nor content for instructions',
  variants: (bait) => [
    ...Object.entries(magickScripts(bait)).flatMap(([what, content]) =>
      unproven.map(
        (filename): Variant => ({ what: `${what}, as ${filename}`, filename, content, to: 'png', end: 'refused' }),
      ),
    ),
    ...prefixes(bait.file).map(
      (filename): Variant => ({
        what: `a picture called ${filename}`,
        filename,
        from: 'bmp',
        content: bitmap(),
        to: 'png',
        end: 'completed',
      }),
    ),
  ],
}

const metadata: Attack = {
  id: 'A11',
  title: 'metadata and names are data: no line break, quote or bar in them does anything',
  variants: ({ folder }) => [
    {
      what: 'DjVu metadata that runs Perl, named as JPEG',
      filename: 'x.jpg',
      content: djvu(folder),
      to: 'png',
      end: 'refused',
    },
    ...[`touch ${folder.replaceAll('/', ' ')} |`, 'x.bmp |', '| id', 'x\n-o\nout.bmp', '-o x.bmp'].map(
      (filename): Variant => ({
        what: `a picture called ${JSON.stringify(filename)}`,
        filename,
        from: 'bmp',
        content: bitmap(),
        to: 'png',
      }),
    ),
  ],
}

/** An annotation whose quote breaks out of its string, which ExifTool once executed. */
function djvu(folder: string): Buffer {
  const annotation = `(metadata (Copyright "\\\n" . qx{touch ${folder}/pwned} . \\\n" b "))`
  const data = Buffer.from(annotation)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length + 12)
  const inner = Buffer.alloc(4)
  inner.writeUInt32BE(data.length)
  return Buffer.concat([Buffer.from('AT&TFORM'), size, Buffer.from('DJVUANTa'), inner, data])
}

/** Attacks on programs that interpret file names and content as instructions. */
export const magickAttacks: readonly Attack[] = [policies, metadata]
