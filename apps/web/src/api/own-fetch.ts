import { ownPath } from './own-path.ts'

/** Requests from the page's own origin, without the browser's cache, and without cookies, which the API ignores. */
export const ownFetch: typeof fetch = (url, init) =>
  fetch(ownPath(String(url)), { ...init, credentials: 'omit', cache: 'no-store' })
