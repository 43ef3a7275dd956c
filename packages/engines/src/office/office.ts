import { abilities } from '../documents/abilities.ts'
import { planDocument } from '../documents/plan-document.ts'
import type { Engine } from '../engine.ts'
import { officeTool } from './tool.ts'

/** Converts documents with LibreOffice in a warm runner. */
export const office: Engine = {
  id: 'office',
  family: 'office',
  tools: [officeTool],
  cost: { startS: 1, perMiBS: 2 },
  abilities,
  plan: planDocument,
}
