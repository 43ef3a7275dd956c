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

/** CSS pixels per inch: a drawing that is 210 mm wide gives a page that is 210 mm wide. */
const nominalDensity = 96

const coarse = `Effects such as blurs were rendered at ${nominalDensity} dpi, because the requested density needs too much memory.`
const tooMuch = 'Effects of the drawing, such as blurs, need too much memory. Make the drawing smaller or remove them.'

/**
 * Embeds a drawing as vectors and text. Only effects that PDF cannot express, such as blurs, are rendered to pixels, at the
 * requested density.
 * @param {import('pdf-lib').PDFDocument} document
 * @param {{ input: import('./runner.mjs').FileRef, call: Call }} part
 * @returns {Promise<import('./pdf-image.mjs').PdfImage>}
 */
export async function toPdfDrawing(document, { input, call }) {
  // Opened without the density: the page size and the pixel limit do not depend on it.
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
 * Sends the drawing through standard input: without a file name, librsvg resolves no relative references. Returns undefined
 * if memory ran out.
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
      // In the sandbox, only the kernel kills processes, when memory runs out.
      else if (error.signal === 'SIGKILL') resolve(undefined)
      else reject(new Error(`rsvg-convert ended by ${error.signal ?? error.code}: ${stderr}`))
    })
    // A process that fails early closes its input; the exit status reports why.
    child.stdin?.on('error', () => {}).end(withoutLinks(String(source.content)))
  })
}
