import type { PlanBench } from '@lathe/testing'
import { oldDocuments } from '../../../fixtures/office/old-documents.ts'
import { sources } from '../../../fixtures/office/sources.ts'
import { sampleMpc } from '../../../fixtures/sample-audio.ts'
import { sampleIt, sampleS3m, sampleXm } from '../../../fixtures/sample-modules.ts'
import { makeDjvu, makeXps } from '../../../packages/engines/src/testing/make-pages.ts'
import { makePicture } from '../../../packages/engines/src/testing/sample-pictures.ts'

type Maker = (bench: PlanBench) => Buffer | Promise<Buffer>

/** Formats that no engine writes: other programs of the engine root do, or code of ours. */
export const makers: Readonly<Record<string, Maker>> = {
  ...oldDocuments,
  xml: () => Buffer.from(sources.xml),
  json: () => Buffer.from(sources.json),
  xps: makeXps,
  djvu: makeDjvu,
  mpc: sampleMpc,
  s3m: sampleS3m,
  xm: sampleXm,
  it: sampleIt,
  pcd: (bench) => makePicture(bench, 'pcd'),
}
