// @ts-check

/**
 * Opens a place beside the scripts of a page, where they can neither see nor replace anything: it shares the document with
 * them, not the functions. What it gives calls a function there; arguments are data and never part of its text.
 *
 * @param {import('./take.mjs').Page} page
 */
export async function openWorld({ send }) {
  const { frameTree } = await send('Page.getFrameTree')
  const { executionContextId } = await send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })

  /**
   * @param {(...given: any[]) => unknown} work runs in the browser, as text, and may use nothing outside
   * @param {(string | number)[]} given
   * @returns {Promise<any>}
   */
  return async (work, ...given) => {
    const { result, exceptionDetails } = await send('Runtime.callFunctionOn', {
      functionDeclaration: String(work),
      executionContextId,
      arguments: given.map((value) => ({ value })),
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(String(exceptionDetails.exception?.description).slice(0, 300))
    return result.value
  }
}
