import { type ComponentType, lazy } from 'react'
import { readyTools } from './words.ts'

/** Loads a tool and its translations on first use. */
function lazyTool<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [tool] = await Promise.all([load(), readyTools()])
    return { default: tool as ComponentType<unknown> as ComponentType<Props> }
  })
}

export const CropDialog = lazyTool(async () => (await import('./crop-dialog.tsx')).CropDialog)
export const TrimDialog = lazyTool(async () => (await import('./trim-dialog.tsx')).TrimDialog)
export const MergeDialog = lazyTool(async () => (await import('./merge-dialog.tsx')).MergeDialog)
export const ShareDialog = lazyTool(async () => (await import('./share-dialog.tsx')).ShareDialog)
