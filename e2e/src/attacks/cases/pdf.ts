import { readFileSync } from 'node:fs'
import type { PlanBench } from '@lathe/testing'
import { expect } from 'vitest'
import { activePdfs, pdfBombs } from '../../../../fixtures/attacks/pdfs.ts'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import type { Attack, Output, SafeEnd, Variant } from '../support/attack.ts'

const active: Attack = {
  id: 'A15 PDF',
  title: 'actions, programs and hidden files are not in a PDF that was rewritten',
  variants: (bait) =>
    Object.entries(activePdfs(bait)).flatMap(([what, content]): Variant[] => [
      { what: `${what}, rewritten`, filename: 'x.pdf', content, to: 'pdf', check: isInert },
      { what: `${what}, drawn`, filename: 'x.pdf', content, to: 'png' },
      { what: `${what}, to HTML`, filename: 'x.pdf', content, to: 'html' },
    ]),
}

/** Checks the unpacked PDF, so that nothing hides in a packed object. */
async function isInert(outputs: readonly Output[], bench: PlanBench): Promise<void> {
  for (const { bytes } of outputs) {
    const args = ['--qdf', '--object-streams=disable', 'in.pdf', 'out.pdf']
    const { outputs: plain } = await bench.tool('qpdf', args, { files: { 'in.pdf': bytes }, outputs: ['out.pdf'] })
    expect(plain['out.pdf']?.toString('latin1')).not.toMatch(
      /\/JavaScript|\/JS\b|\/Launch|\/EmbeddedFile|\/XFA|\/SubmitForm|\/OpenAction \d/,
    )
  }
}

const bombs: Attack = {
  id: 'B06',
  title: 'PDF files without end are refused or stopped, and one with a password says so',
  variants: async (_, bench) => [
    ...Object.entries(pdfBombs()).flatMap(([what, content]): Variant[] => [
      { what: `${what}, drawn`, filename: 'x.pdf', content, to: 'png', end: endOf(what), isSlow: isSlow(what) },
      { what: `${what}, rewritten`, filename: 'x.pdf', content, to: 'pdf', isSlow: isSlow(what) },
    ]),
    { what: 'an unknown password', filename: 'x.pdf', content: await sealed(bench), to: 'png', end: 'refused' },
  ],
  atOnce: 2,
  withinMs: 330_000,
}

const isSlow = (what: string) => /billion times|million cells/.test(what)

function endOf(what: string): SafeEnd {
  return /million children|count that lies|million points|in a circle/.test(what) ? 'limited' : 'harmless'
}

async function sealed(bench: PlanBench): Promise<Buffer> {
  const files = { 'in.pdf': readFileSync(fixturePath('two-pages.pdf')) }
  const args = ['--encrypt', 'secret', 'secret', '256', '--', 'in.pdf', 'out.pdf']
  const { outputs } = await bench.tool('qpdf', args, { files, outputs: ['out.pdf'] })
  if (!outputs['out.pdf']) throw new Error('nothing was encrypted')
  return outputs['out.pdf']
}

/** Attacks with PDF. */
export const pdfAttacks: readonly Attack[] = [active, bombs]
