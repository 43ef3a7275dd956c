// @ts-check
import { writeFile } from 'node:fs/promises'
import { openForwarder } from './forwarder.mjs'
import { launch } from './launch.mjs'
import { openPage } from './page.mjs'

/**
 * Starts a browser with an empty tab, before anybody knows what for. It serves one request and is ended with its sandbox.
 *
 * @typedef {Awaited<ReturnType<typeof openBrowser>>} Browser
 */
export async function openBrowser() {
  const forwarder = await openForwarder()
  const devTools = await launch(forwarder.port)
  const page = await openPage(devTools)
  await warmUp(page)
  return {
    /** A tab that reaches the proxy behind a socket file. */
    onlinePage: (/** @type {string} */ socket) => {
      forwarder.leadTo(socket)
      return page
    },
    /** A tab that finds nothing anywhere: nobody listens where its proxy should be. */
    offlinePage: () => {
      forwarder.close()
      return page
    },
    /** Calls back when the browser has ended. */
    onGone: (/** @type {() => void} */ listener) => void devTools.on('gone', listener),
  }
}

const ownPage = '/tmp/own.html'

/**
 * Shows and prints a line of our own: the process for files, the fonts and the writer of PDF are then there before anybody
 * waits for them. Nothing of it is left that a page could go back to.
 *
 * @param {Awaited<ReturnType<typeof openPage>>} page
 */
async function warmUp({ send, on }) {
  await writeFile(ownPage, '<!DOCTYPE html><title>a</title><h1>a</h1><p>a <b>b</b> <i>c</i> <code>d</code></p>')
  const loaded = new Promise((resolve) => on('Page.loadEventFired', resolve))
  await send('Page.navigate', { url: `file://${ownPage}` })
  await loaded
  await send('Page.printToPDF', { generateDocumentOutline: true, generateTaggedPDF: true })
  await send('Page.resetNavigationHistory')
}
