// @ts-check

/**
 * Opens an empty tab that refuses downloads, further windows and whatever only a person could answer.
 *
 * @param {Awaited<ReturnType<typeof import('./launch.mjs').launch>>} browser
 * @param {{ viewport: { width: number, height: number }, media?: string }} look
 */
export async function openPage({ devTools }, { viewport, media }) {
  await devTools.send('Browser.setDownloadBehavior', { behavior: 'deny' })
  const { targetId } = await devTools.send('Target.createTarget', { url: 'about:blank', ...viewport })
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
  await send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
  if (media !== undefined) await send('Emulation.setEmulatedMedia', { media })

  /** What the page calls itself. */
  const title = async () => {
    const { targetInfo } = await devTools.send('Target.getTargetInfo', { targetId })
    return String(targetInfo.title).slice(0, 300)
  }
  return { send, on, title }
}
