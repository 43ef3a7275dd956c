import { readyDashboard } from '../dashboard/words.ts'
import { AddressStep } from './address-step.tsx'
import type { FirstRunStep } from './first-run.ts'
import { KeyStep } from './key-step.tsx'
import { SampleStep } from './sample-step.tsx'
import { readyFirstRun } from './words.ts'

const pages = { address: AddressStep, sample: SampleStep, key: KeyStep } as const

/** What follows the first account: the public URL, a sample, and the first key. Every step can be skipped. */
export function FirstRunPages({ step }: { readonly step: FirstRunStep }) {
  const Page = pages[step]
  return <Page />
}

/** Loads the translations of the steps. */
export async function readyFirstRunPages(): Promise<void> {
  await Promise.all([readyFirstRun(), readyDashboard()])
}
