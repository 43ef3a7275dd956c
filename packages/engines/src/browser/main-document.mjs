// @ts-check

/**
 * Follows the document of a page. Until it has loaded it may lead on to another, as pages that redirect by script do;
 * after that it is kept, and nothing takes its place.
 *
 * @param {Awaited<ReturnType<typeof import('./page.mjs').openPage>>} page
 * @param {Pick<import('./capture.mjs').Capture, 'url' | 'credentials'>} request
 */
export async function followDocument(page, { url, credentials }) {
  const { send, on } = page
  const { frameTree } = await send('Page.getFrameTree')
  const mainFrame = frameTree.frame.id
  /** @type {PromiseWithResolvers<true>} */
  const { promise: loaded, resolve } = Promise.withResolvers()
  let isKept = false
  const main = {
    url,
    /** @type {number | undefined} */
    status: undefined,
    isReplaced: false,
    loaded,
    keep: () => {
      isKept = true
    },
  }
  /** @param {{ type?: string, frameId: string }} event */
  const isOurs = ({ type, frameId }) => type === 'Document' && frameId === mainFrame && !isKept

  on('Network.requestWillBeSent', (event) => {
    if (isOurs(event)) main.url = event.request.url
  })
  on('Network.responseReceived', (event) => {
    if (isOurs(event)) main.status = event.response.status
  })
  on('Page.frameNavigated', ({ frame }) => {
    if (frame.id === mainFrame && isKept) main.isReplaced = true
  })
  on('Page.loadEventFired', () => {
    // The empty page that a tab begins with has loaded, too.
    if (main.status === undefined) return
    main.keep()
    resolve(true)
  })
  on('Fetch.requestPaused', ({ requestId, frameId }) => {
    const isStray = frameId === mainFrame && isKept
    const answer = isStray ? send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }) : pass(requestId)
    // A request that is gone needs no answer.
    answer.catch(() => {})
  })
  on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const isAsked = authChallenge.source === 'Server' && authChallenge.origin === new URL(url).origin
    const given = isAsked ? credentials : undefined
    // Asked for once more, they were wrong.
    credentials = undefined
    const authChallengeResponse = given ? { response: 'ProvideCredentials', ...given } : { response: 'CancelAuth' }
    send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
  })
  const pass = (/** @type {string} */ requestId) => send('Fetch.continueRequest', { requestId })
  const patterns = [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }]
  await send('Fetch.enable', { patterns, handleAuthRequests: true })
  return main
}
