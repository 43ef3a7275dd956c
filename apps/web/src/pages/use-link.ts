import { useEffect, useState } from 'react'

/**
 * The secret in the fragment of a link. Fragments reach no server log, and it is removed from the address bar
 * immediately. The tab remembers it for that page, so that it survives a sign-in elsewhere.
 */
export function useLink(path: string): string {
  const [link, setLink] = useState(() => location.hash.slice(1) || (sessionStorage.getItem(placeOf(path)) ?? ''))
  useEffect(() => {
    const take = () => {
      const given = location.hash.slice(1)
      if (given === '') return
      setLink(given)
      sessionStorage.setItem(placeOf(path), given)
      history.replaceState(history.state, '', path)
    }
    take()
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [path])
  return link
}

/** Forgets a used link. */
export function forgetLink(path: string): void {
  sessionStorage.removeItem(placeOf(path))
}

const placeOf = (path: string) => `lathe.link${path}`
