import type { PlanBench } from '@lathe/testing'
import { makeDjvu, makeXps } from '../../../fixtures/make-pages.ts'
import { oldDocuments } from '../../../fixtures/office/old-documents.ts'

type Maker = (bench: PlanBench) => Buffer | Promise<Buffer>

/** Formats that no engine writes: other programs of the engine root do, or code of ours. */
export const makers: Readonly<Record<string, Maker>> = { ...oldDocuments, xps: makeXps, djvu: makeDjvu }
