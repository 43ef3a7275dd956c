import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect } from 'vitest'
import { magickScripts } from '../../../../fixtures/attacks/magick-scripts.ts'
import { type Chunks, smallPng } from '../../../../fixtures/attacks/png.ts'
import { polyglots } from '../../../../fixtures/attacks/polyglots.ts'
import { declaringSvgs, reachingSvgs, svgOf } from '../../../../fixtures/attacks/svg.ts'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import type { Attack, Output, Variant } from '../support/attack.ts'

const fixture = (name: FixtureName) => readFileSync(fixturePath(name))

// This message comes from the worker itself: no engine has seen the file.
const refused = { end: 'refused', says: /^This file is (?:named \.|declared as )\w+ but / } as const

const tragick: Attack = {
  id: 'A01',
  title: 'ImageTragick: scripts named like pictures are refused before an engine sees them',
  variants: (bait) =>
    Object.entries(magickScripts(bait)).flatMap(([what, content]): Variant[] => [
      { what, filename: 'x.png', content, to: 'jpg', ...refused },
      { what: `${what}, declared`, filename: 'x', from: 'png', content, to: 'webp', ...refused },
      { what: `${what}, as GIF`, filename: 'x.gif', content, to: 'png', ...refused },
    ]),
}

const rawProfile: Attack = {
  id: 'A02',
  title: 'PNG text chunks that name a file bring none of it',
  variants({ file }) {
    const chunks: Readonly<Record<string, Chunks>> = {
      'a profile by name': [['tEXt', `profile\0${file}`]],
      several: ['profile', 'exif', 'icc', 'iptc', 'xmp', 'APP1'].map((word) => ['tEXt', `${word}\0${file}`] as const),
      'international text': [['iTXt', `profile\0\0\0\0\0${file}`]],
      'a raw profile': [['zTXt', `Raw profile type ${file}\0\0`]],
    }
    return Object.entries(chunks).flatMap(([what, extra]): Variant[] => {
      const content = smallPng(extra)
      const input = { filename: 'x.png', content, end: 'completed', check: hasNoProfileText } as const
      return [
        { what: `${what}, to PNG`, ...input, to: 'png' },
        { what: `${what}, metadata kept`, ...input, to: 'png', options: { strip: false } },
        { what: `${what}, resized`, ...input, to: 'png', options: { width: 16 } },
        { what: `${what}, compressed`, ...input, operation: 'compress' },
      ]
    })
  },
}

function hasNoProfileText(outputs: readonly Output[]): void {
  for (const { bytes } of outputs) expect(bytes.includes('Raw profile type')).toBe(false)
}

const drawings: Attack = {
  id: 'A08',
  title: 'SVG and XML that reach for files and hosts get neither, and entities do not grow without bound',
  variants: (bait) => [
    ...Object.entries(reachingSvgs(bait)).flatMap(([what, content]): Variant[] => [
      { what, filename: 'x.svg', content, to: 'png' },
      { what: `${what}, to PDF`, filename: 'x.svg', content, to: 'pdf' },
    ]),
    ...Object.entries(declaringSvgs(bait)).map(
      ([what, content]): Variant => ({ what, filename: 'x.svg', content, to: 'png' }),
    ),
    { what: 'XMP that names a host', filename: 'x.png', content: smallPng([['iTXt', xmpOf(bait.url)]]), to: 'webp' },
  ],
}

function xmpOf(url: string): string {
  return `XML:com.adobe.xmp\0\0\0\0\0<!DOCTYPE x SYSTEM "${url}/x.dtd"><x:xmpmeta xmlns:x="adobe:ns:meta/"/>`
}

const twoThings: Attack = {
  id: 'A14',
  title: 'files that are two things at once are read as one, and nothing of the other passes through',
  variants() {
    const parts = { pdf: fixture('two-pages.pdf'), jpg: fixture('photo-40k.jpg'), gif: fixture('animated.gif') }
    const [png, mp4] = [fixture('alpha.png'), Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp41', 'latin1')]
    return Object.entries(polyglots({ ...parts, png, mp4 })).map(
      ([what, input]): Variant => ({
        what,
        ...input,
        to: input.filename.endsWith('.jpg') ? 'png' : 'jpg',
        check: isReencoded,
      }),
    )
  },
}

async function isReencoded(outputs: readonly Output[]): Promise<void> {
  for (const { bytes, filename } of outputs) {
    expect(bytes.toString('latin1'), filename).not.toMatch(/<\?php|<script>|alert\(1\)|CAFEBABE/)
    expect((await sharp(bytes).metadata()).width).toBeGreaterThan(0)
  }
}

const activePictures: Attack = {
  id: 'A15 pictures',
  title: 'active content of a drawing is not in what is made of it',
  variants: ({ url }) =>
    ['png', 'pdf', 'webp'].map(
      (to): Variant => ({
        what: `script in SVG, to ${to}`,
        filename: 'x.svg',
        content: svgOf(
          `<script>alert('${url}')</script><a href="javascript:alert(1)"><rect width="9" height="9"/></a>`,
        ),
        to,
        end: 'completed',
        check: (outputs) => {
          for (const { bytes } of outputs) expect(bytes.toString('latin1')).not.toMatch(/javascript|<script|\/JS\b/)
        },
      }),
    ),
}

/** Attacks with images and drawings. */
export const pictureAttacks: readonly Attack[] = [tragick, rawProfile, drawings, twoThings, activePictures]
