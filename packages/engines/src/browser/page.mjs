// @ts-check

/**
 * Opens an empty tab that refuses downloads, further windows and whatever only a person could answer.
 *
 * @param {import('./devtools.mjs').DevTools} devTools
 */
export async function openPage(devTools) {
  await devTools.send('Browser.setDownloadBehavior', { behavior: 'deny' })
  const { targetId } = await devTools.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await devTools.send('Target.attachToTarget', { targetId, flatten: true })
  devTools.on('Target.targetCreated', ({ targetInfo }) => {
    if (targetInfo.type !== 'page' || targetInfo.targetId === targetId) return
    devTools.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => {})
  })
  await devTools.send('Target.setDiscoverTargets', { discover: true })

  /**
   * @param {string} method
   * @param {Record<string, unknown>} [params]
   */
  const send = (method, params) => devTools.send(method, params, sessionId)

  /**
   * Hears an event of this tab.
   *
   * @param {string} name
   * @param {(params: any) => void} listener
   */
  const on = (name, listener) => {
    devTools.on(name, (params, session) => {
      if (session === sessionId) listener(params)
    })
  }

  on('Page.javascriptDialogOpening', () => {
    send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
  })
  await send('Page.enable')

  /**
   * Sets the size of the window, and whether it shows or prints.
   *
   * @param {{ viewport: { width: number, height: number }, media?: string }} look
   */
  const setLook = async ({ viewport, media }) => {
    await send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
    if (media !== undefined) await send('Emulation.setEmulatedMedia', { media })
  }

  /** What the page calls itself. */
  const title = async () => {
    const { targetInfo } = await devTools.send('Target.getTargetInfo', { targetId })
    return String(targetInfo.title).slice(0, 300)
  }
  return { send, on, setLook, title }
}
