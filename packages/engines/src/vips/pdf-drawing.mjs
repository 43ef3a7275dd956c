// @ts-check
// biome-ignore lint/style/noRestrictedImports: this runs inside the sandbox, which rsvg-convert does not leave either.
import { execFile } from 'node:child_process'
import { beyond, damaged, Refusal } from './refusal.mjs'
import { openSource } from './source.mjs'
import { withoutLinks } from './svg-links.mjs'

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./runner.mjs').Call} Call
 */

/** Pixels of a drawing in an inch of paper: what is 210 mm wide in a drawing is as wide on a page. */
const nominalDensity = 96

const coarse = `The drawing has effects that a PDF has only as pixels. They are coarse, ${nominalDensity} dpi: there is not enough memory for finer ones.`
const tooMuch = 'The drawing has effects that take more memory than is allowed. Make it smaller, or leave them out.'

/**
 * Puts a drawing into a document as lines and letters, not as pixels. Only what has no other form, such as a blur, becomes
 * pixels, of the density that was asked for.
 * @param {import('pdf-lib').PDFDocument} document
 * @param {{ input: import('./runner.mjs').FileRef, call: Call }} part
 * @returns {Promise<import('./pdf-image.mjs').PdfImage>}
 */
export async function toPdfDrawing(document, { input, call }) {
  // Without a density it has as many pixels as it says: how finely it is drawn is no matter of its size.
  const { density = nominalDensity, ...params } = call.params
  const source = await openSource(input, { ...call, params })
  const [page] = await document.embedPdf(await draw(source, { density, call }))
  if (!page) throw damaged(source, new Error('no page'))
  const { width, height } = source
  return { ref: page.ref, width, height, density: nominalDensity, shown: [1 / page.width, 0, 0, 1 / page.height, 0, 0] }
}

/**
 * @param {Source} source
 * @param {{ density: number, call: Call }} how
 * @returns {Promise<Uint8Array>}
 */
async function draw(source, { density, call }) {
  const pdf = await runRsvg(source, { zoom: density / nominalDensity, most: call.limits.pdfInputBytes })
  if (pdf !== undefined) return pdf
  if (density <= nominalDensity) throw new Refusal('limit_exceeded', tooMuch)
  call.warnings.push(coarse)
  return draw(source, { density: nominalDensity, call })
}

/**
 * The drawing goes in as text: without a name of a file, librsvg looks for none beside it. Nothing comes out where memory
 * does not suffice.
 * @param {Source} source
 * @param {{ zoom: number, most: number }} how
 * @returns {Promise<Uint8Array | undefined>}
 */
function runRsvg(source, { zoom, most }) {
  return new Promise((resolve, reject) => {
    const args = ['--format=pdf', `--zoom=${zoom}`]
    const child = execFile('rsvg-convert', args, { encoding: 'buffer', maxBuffer: most }, (error, stdout, stderr) => {
      if (!error) resolve(new Uint8Array(stdout))
      else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') reject(beyond('bytes of a drawing', most + 1, most))
      else if (typeof error.code === 'number') reject(damaged(source, new Error(String(stderr))))
      // Nobody else in the sandbox ends a process this way.
      else if (error.signal === 'SIGKILL') resolve(undefined)
      else reject(new Error(`rsvg-convert ended by ${error.signal ?? error.code}: ${stderr}`))
    })
    // One that has seen enough ends before it has read everything: its end says why.
    child.stdin?.on('error', () => {}).end(withoutLinks(String(source.content)))
  })
}
