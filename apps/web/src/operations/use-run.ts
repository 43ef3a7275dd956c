import type { Task } from '@lathe/contract'
import { useRef, useState } from 'react'
import { toTrouble } from '../converter/to-trouble.ts'
import { type Order, runOperation } from './run-operation.ts'

type RunState =
  | { readonly stage: 'idle' }
  | { readonly stage: 'running'; readonly share: number }
  | { readonly stage: 'ended'; readonly task: Task }
  | { readonly stage: 'failed'; readonly msg: string }

/** Runs one operation at a time, with its progress and a way to cancel it. */
export function useRun() {
  const [state, setState] = useState<RunState>({ stage: 'idle' })
  const stop = useRef<AbortController>(undefined)
  const run = async (order: Order) => {
    const own = new AbortController()
    stop.current = own
    setState({ stage: 'running', share: 0 })
    try {
      const task = await runOperation(order, own.signal, (share) => setState({ stage: 'running', share }))
      setState({ stage: 'ended', task })
    } catch (cause) {
      setState(own.signal.aborted ? { stage: 'idle' } : { stage: 'failed', msg: toTrouble(cause).msg })
    }
  }
  return { state, run, cancel: () => stop.current?.abort() }
}
