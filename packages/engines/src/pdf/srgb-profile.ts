/** The bytes of an ICC profile for sRGB. PDF/A requires one inside the file, and PDF/A-1 allows at most version 2. */
export function srgbProfile(): Uint8Array {
  const curve = tag('curv', [...number(curvePoints, 4), ...toneCurve()])
  const parts: readonly (readonly [string, readonly number[]])[] = [
    ['desc', tag('desc', [...number(5, 4), ...ascii('sRGB\0'), ...zeros(8 + 2 + 1 + 67)])],
    ['cprt', tag('text', ascii('No rights reserved\0'))],
    ['wtpt', point(0.9642, 1, 0.8249)],
    ['rXYZ', point(0.4361, 0.2225, 0.0139)],
    ['gXYZ', point(0.3851, 0.7169, 0.0971)],
    ['bXYZ', point(0.1431, 0.0606, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  return assemble(parts)
}

function assemble(parts: readonly (readonly [string, readonly number[]])[]): Uint8Array {
  const table: number[] = [...number(parts.length, 4)]
  const data: number[] = []
  const start = 128 + 4 + 12 * parts.length
  for (const [name, bytes] of parts) {
    table.push(...ascii(name), ...number(start + data.length, 4), ...number(bytes.length, 4))
    data.push(...bytes, ...zeros(-bytes.length & 3))
  }
  return Uint8Array.from([...header(start + data.length), ...table, ...data])
}

function header(size: number): readonly number[] {
  const made = [2000, 1, 1, 0, 0, 0].flatMap((part) => number(part, 2))
  const kind = [...ascii('mntrRGB XYZ '), ...made, ...ascii('acsp')]
  const start = [...number(size, 4), ...zeros(4), ...number(0x02100000, 4), ...kind]
  return [...start, ...zeros(28), ...[0.9642, 1, 0.8249].flatMap(fixed), ...zeros(48)]
}

const curvePoints = 256

// IEC 61966-2-1: a linear segment near black, then a power function.
function toneCurve(): readonly number[] {
  return Array.from({ length: curvePoints }, (_, n) => n / (curvePoints - 1))
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
    .flatMap((light) => number(Math.round(light * 65_535), 2))
}

function tag(type: string, content: readonly number[]): readonly number[] {
  return [...ascii(type), ...zeros(4), ...content]
}

function point(...coordinates: readonly number[]): readonly number[] {
  return tag('XYZ ', coordinates.flatMap(fixed))
}

/** A fixed-point number with 16 bits before and after the point. */
function fixed(value: number): readonly number[] {
  return number(Math.round(value * 65_536), 4)
}

function number(value: number, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, n) => (value >>> (8 * (bytes - 1 - n))) & 255)
}

function ascii(text: string): readonly number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}

function zeros(count: number): readonly number[] {
  return Array(count).fill(0)
}
