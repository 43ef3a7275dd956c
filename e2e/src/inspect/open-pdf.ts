import type { PlanBench } from '@lathe/testing'
import { type Facts, type Given, refuse } from './facts.ts'
import { fileOf, runTool } from './run-tool.ts'

/** Opens a PDF with Poppler for its facts and with qpdf for its structure. */
export async function openPdf(bench: PlanBench, given: Given): Promise<Facts> {
  const file = fileOf(given)
  await runTool(bench, 'qpdf', [...(given.password ? [`--password=${given.password}`] : []), '--check', file], {
    given,
  })
  const { stdout } = await runTool(bench, 'pdfinfo', [...passwordOf(given), file], { given })
  const pages = Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1])
  const size = /^Page size:\s+([\d.]+) x ([\d.]+) pts/m.exec(stdout)
  const turn = Number(/^Page rot:\s+(\d+)/m.exec(stdout)?.[1] ?? 0)
  if (!(pages > 0) || !size) refuse('pdf', stdout)
  const [width, height] = [Number(size[1]), Number(size[2])]
  const shown = turn % 180 === 0 ? { width, height } : { width: height, height: width }
  return { format: 'pdf', pages, ...shown }
}

/** The words of a PDF, page by page. */
export async function readPdfText(bench: PlanBench, given: Given): Promise<string> {
  const args = [...passwordOf(given), '-enc', 'UTF-8', fileOf(given), 'out.txt']
  const { outputs } = await runTool(bench, 'pdftotext', args, { given, outputs: ['out.txt'] })
  return String(outputs['out.txt'] ?? '')
}

/** The first page as an image at 40 dpi. */
export async function drawPdf(bench: PlanBench, given: Given): Promise<Buffer> {
  const args = [...passwordOf(given), '-png', '-r', '40', '-singlefile', fileOf(given), 'out']
  const { outputs } = await runTool(bench, 'pdftoppm', args, { given, outputs: ['out.png'] })
  return outputs['out.png'] ?? refuse('pdf', 'its first page cannot be drawn')
}

function passwordOf({ password }: Given): readonly string[] {
  return password ? ['-upw', password] : []
}
