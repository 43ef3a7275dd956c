import { readFile } from 'node:fs/promises'
import type { PlanBench } from '@lathe/testing'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { type FixtureName, fixtureNames, fixturePath } from '../../../fixtures/fixtures.ts'
import { type ScriptName, scripts, writeScript } from '../../../fixtures/office/scripts.ts'

type Maker = (bench: PlanBench) => Promise<Buffer>

const lavfi = (what: string) => ['-f', 'lavfi', '-i', what]

function media(name: string, args: readonly string[]): Maker {
  return async (bench) => {
    const { end, outputs } = await bench.tool('ffmpeg', ['-v', 'error', ...args, name], { outputs: [name] })
    return outputs[name] ?? Promise.reject(new Error(`${name} was not made: ${JSON.stringify(end)}`))
  }
}

/** Inputs that are generated for the run; names and makers describe their properties. */
const made = {
  'ten-pages.pdf': async () => {
    const pdf = await PDFDocument.create({ updateMetadata: false })
    const font = await pdf.embedFont(StandardFonts.Helvetica)
    for (let n = 1; n <= 10; n++) {
      const page = pdf.addPage([300, 400])
      page.drawText(`Leaf ${n}`, { x: 40, y: 300, size: 36, font })
      page.drawRectangle({ x: 40, y: 40, width: 22 * n, height: 60 })
    }
    return Buffer.from(await pdf.save())
  },
  'wide-30fps.mkv': media('wide-30fps.mkv', [
    ...lavfi('testsrc2=size=320x180:rate=30:duration=2'),
    ...lavfi('sine=frequency=1000:sample_rate=48000:duration=2'),
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'flac', '-ac', '1', '-threads', '1'],
  ]),
  'silent.webm': media('silent.webm', [
    ...lavfi('smptebars=size=128x96:rate=24:duration=1'),
    ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
  ]),
  'long-tone.wav': media('long-tone.wav', [...lavfi('sine=frequency=1000:sample_rate=48000:duration=5'), '-ac', '1']),
  'bars.bmp': media('bars.bmp', [...lavfi('smptebars=size=160x90'), '-frames:v', '1']),
} as const satisfies Record<string, Maker>

/** The name of a fixture or of a generated input: a page of a script is named `script-greek.docx`. */
export type InputName = FixtureName | keyof typeof made | `script-${ScriptName}.docx`

export interface Inputs {
  find(name: InputName): Promise<Buffer>
}

/** Reads or makes every input once. */
export function createInputs(bench: PlanBench): Inputs {
  const known = new Map<InputName, Promise<Buffer>>()
  return {
    find(name) {
      const found = known.get(name) ?? make(bench, name)
      known.set(name, found)
      return found
    },
  }
}

function make(bench: PlanBench, name: InputName): Promise<Buffer> {
  if ((fixtureNames as readonly string[]).includes(name)) return readFile(fixturePath(name as FixtureName))
  const script = (Object.keys(scripts) as ScriptName[]).find((one) => name === `script-${one}.docx`)
  if (script) return Promise.resolve(writeScript(script))
  return made[name as keyof typeof made](bench)
}
