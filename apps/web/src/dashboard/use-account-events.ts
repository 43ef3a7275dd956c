import type { Event } from '@lathe/contract'
import { useEffect, useRef } from 'react'
import { listenToAccount } from '../api/account-events.ts'

const pauseMs = 700

/** Passes every event of the account to `take`, and reloads once shortly after the events that need it. */
export function useAccountEvents(take: (event: Event) => boolean, lookAgain: () => void): void {
  const newest = useRef({ take, lookAgain })
  newest.current = { take, lookAgain }
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        newest.current.lookAgain()
      }, pauseMs)
    }
    const leave = listenToAccount({
      onOpen: look,
      onEvent: (event) => newest.current.take(event) || look(),
    })
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [])
}
