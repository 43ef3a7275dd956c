import { useEffect } from 'react'

/** Puts the progress before the title of the page, where other tabs show it. */
export function useProgressTitle(progress: string | undefined): void {
  useEffect(() => {
    const title = document.querySelector('title')
    const plain = title?.textContent
    if (!title || plain == null || progress === undefined) return
    title.textContent = `${progress} · ${plain}`
    // The element of this page: another one may have its own by then.
    return () => {
      title.textContent = plain
    }
  }, [progress])
}
