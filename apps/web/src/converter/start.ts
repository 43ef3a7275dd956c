import { mayConvert, sessionStore } from '../session/session.ts'
import { keepList } from './keeping.ts'
import { converter } from './state.ts'

let isStarted = false

/** Restores the list of an earlier visit and resumes it once the user is signed in. Runs once per page. */
export function startConverter(): void {
  if (isStarted) return
  isStarted = true
  void keepList()
  let isResumed = false
  const tryResume = () => {
    const { isRead, items } = converter.get()
    if (isResumed || !isRead || !mayConvert(sessionStore.get())) return
    isResumed = true
    if (items.size > 0) void import('./running.ts').then(({ resume }) => resume())
  }
  sessionStore.subscribe(tryResume)
  converter.subscribe(tryResume)
  // With the first files, because the empty page does not need it.
  const stop = converter.subscribe(() => {
    if (converter.get().items.size === 0) return
    stop()
    void import('./choosing.ts').then(({ chooseTargets }) => chooseTargets())
  })
}
