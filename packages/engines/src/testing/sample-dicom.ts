/** The properties of a sample. By default it is an image of 16 x 12 pixels with 8 bits each. */
export interface DicomSample {
  readonly columns?: number
  readonly rows?: number
  readonly frames?: number
  /** Bits per pixel: 8 or 16. */
  readonly bits?: number
  /** Center and width of the window in the file. */
  readonly window?: readonly [center: number, width: number]
  readonly photometric?: string
  /** How pixels are stored; Explicit VR Little Endian by default. */
  readonly transferSyntax?: string
  readonly pixels?: Uint8Array
  readonly patient?: string
}

type Element = readonly [group: number, element: number, vr: string, value: Uint8Array | string | number]

const explicitLittleEndian = '1.2.840.10008.1.2.1'
const secondaryCapture = '1.2.840.10008.5.1.4.1.1.7'

/** Writes a DICOM file of a gradient: its left edge is 0, its right edge the largest value. */
export function sampleDicom(sample: DicomSample = {}): Buffer {
  const { columns = 16, rows = 12, frames = 1, bits = 8, window, patient = 'Doe^Jane' } = sample
  const { photometric = 'MONOCHROME2', transferSyntax = explicitLittleEndian } = sample
  const pixels = sample.pixels ?? gradient(columns, rows * frames, bits)
  const isPacked = transferSyntax !== explicitLittleEndian
  const meta = elements([
    [2, 1, 'OB', Buffer.from([0, 1])],
    [2, 2, 'UI', secondaryCapture],
    [2, 3, 'UI', '2.25.1'],
    [2, 0x10, 'UI', transferSyntax],
    [2, 0x12, 'UI', '2.25.2'],
  ])
  const data = elements([
    [8, 0x16, 'UI', secondaryCapture],
    [8, 0x18, 'UI', '2.25.1'],
    [0x10, 0x10, 'PN', patient],
    [0x28, 2, 'US', photometric === 'RGB' ? 3 : 1],
    [0x28, 4, 'CS', photometric],
    ...(photometric === 'RGB' ? [[0x28, 6, 'US', 0] as const] : []),
    [0x28, 8, 'IS', String(frames)],
    [0x28, 0x10, 'US', rows],
    [0x28, 0x11, 'US', columns],
    [0x28, 0x100, 'US', bits],
    [0x28, 0x101, 'US', bits],
    [0x28, 0x102, 'US', bits - 1],
    [0x28, 0x103, 'US', 0],
    ...(window
      ? ([
          [0x28, 0x1050, 'DS', String(window[0])],
          [0x28, 0x1051, 'DS', String(window[1])],
        ] as const)
      : []),
    ...(isPacked ? [] : [[0x7fe0, 0x10, bits === 8 ? 'OB' : 'OW', pixels] as const]),
  ])
  const head = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), elements([[2, 0, 'UL', meta.length]])])
  return Buffer.concat([head, meta, data, ...(isPacked ? [fragments(pixels)] : [])])
}

function gradient(columns: number, rows: number, bits: number): Buffer {
  const largest = 2 ** bits - 1
  const row = Buffer.alloc((columns * bits) / 8)
  for (let x = 0; x < columns; x += 1) {
    const value = Math.round((x / (columns - 1)) * largest)
    if (bits === 8) row[x] = value
    else row.writeUInt16LE(value, x * 2)
  }
  return Buffer.concat(Array.from({ length: rows }, () => row))
}

function elements(list: readonly Element[]): Buffer {
  return Buffer.concat(list.map(toElement))
}

function toElement([group, element, vr, value]: Element): Buffer {
  const body = toBody(vr, value)
  const isLong = ['OB', 'OW'].includes(vr)
  const head = Buffer.alloc(isLong ? 12 : 8)
  head.writeUInt16LE(group, 0)
  head.writeUInt16LE(element, 2)
  head.write(vr, 4, 'latin1')
  if (isLong) head.writeUInt32LE(body.length, 8)
  else head.writeUInt16LE(body.length, 6)
  return Buffer.concat([head, body])
}

// Values have an even length: identifiers are padded with zeros, texts with spaces.
function toBody(vr: string, value: Element[3]): Buffer {
  if (typeof value === 'number') {
    const body = Buffer.alloc(vr === 'UL' ? 4 : 2)
    body.writeUIntLE(value, 0, body.length)
    return body
  }
  const body = Buffer.from(value)
  return body.length % 2 === 0 ? body : Buffer.concat([body, Buffer.from(vr === 'UI' || vr === 'OB' ? '\0' : ' ')])
}

/** Compressed pixels: an empty table of offsets, one fragment, an end. */
function fragments(pixels: Uint8Array): Buffer {
  const item = (mark: number, length: number) => {
    const head = Buffer.alloc(8)
    head.writeUInt16LE(0xfffe, 0)
    head.writeUInt16LE(mark, 2)
    head.writeUInt32LE(length, 4)
    return head
  }
  const start = Buffer.from('e07f10004f420000ffffffff', 'hex')
  return Buffer.concat([start, item(0xe000, 0), item(0xe000, pixels.length), pixels, item(0xe0dd, 0)])
}
