import { join } from 'node:path'
import { type Failure, isFailure } from '@lathe/domain'
import { captureFormat } from '@lathe/operations'
import type { Outbound, ProxyLimits, ProxyReport } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import type { CallEnd, JobFolder, JsonObject, StepLimits } from '@lathe/sandbox'
import { type Connector, defineImporter, type ImportContext, type Importer } from '../connector.ts'
import type { BrowserRoom } from './browser-room.ts'
import { socketName, toCaptureRequest } from './capture-request.ts'
import { judgeCapture, warningsOf } from './judge-capture.ts'
import { browserLimits, captureLimits } from './limits.ts'
import { pageName } from './page-name.ts'
import { toShotRequest } from './shot-request.ts'

/** Web pages, opened by a browser. */
export const webpage: Connector = ({ outbound, browser }) => {
  const parts = { outbound: outbound.for('webpage'), browser }
  return { importers: [createWebpageImporter(parts), createCapture(parts)] }
}

export interface WebpageParts {
  readonly outbound: Pick<Outbound, 'judge' | 'openProxy'>
  readonly browser: BrowserRoom
  /** Set if the limits of a page's requests, and of its browser, differ from the defaults. */
  readonly proxyLimits?: Partial<ProxyLimits>
  readonly stepLimits?: Partial<StepLimits>
}

/** Opens a page and saves it with all its resources. */
export function createWebpageImporter(parts: WebpageParts): Importer {
  return defineImporter({
    operation: 'import/webpage',
    runsEngine: true,

    run({ url: given, filename, ...fields }, context) {
      const url = revealText(given)
      const request = (address: string) => toCaptureRequest(address, fields)
      return openPage(parts, { url, filename, request, limits: browserLimits, format: 'mhtml' }, context)
    },
  })
}

/** Opens a page and prints it, draws it or saves it. */
export function createCapture(parts: WebpageParts): Importer {
  return defineImporter({
    operation: 'capture',
    runsEngine: true,

    run({ url: given, filename, ...fields }, context) {
      const url = revealText(given)
      const request = (address: string) => toShotRequest(address, fields)
      return openPage(parts, { url, filename, request, limits: captureLimits, format: captureFormat(fields) }, context)
    },
  })
}

interface Visit {
  readonly url: string
  /** The name that the owner gave. */
  readonly filename: string | undefined
  /** The request to the browser. */
  request(url: string): JsonObject
  readonly limits: StepLimits
  /** The output format. */
  readonly format: string
}

/** Opens a page in a browser without a network, which can connect only through the proxy. */
async function openPage(
  parts: WebpageParts,
  { url, filename, request: ask, limits, format }: Visit,
  context: ImportContext,
): Promise<Failure | undefined> {
  const { outbound, browser } = parts
  const refused = outbound.judge(url)
  if (refused) return refused
  await using folder = await browser.createJobFolder()
  const request = ask(url)
  const visited = await visit({ ...parts, stepLimits: { ...limits, ...parts.stepLimits } }, folder, request, context)
  if (isFailure(visited.end)) return visited.end
  const captured = judgeCapture(visited.end.result, visited.report)
  if (isFailure(captured)) return captured
  for (const warning of warningsOf(captured, visited.report)) context.warn(warning)
  const name = pageName(filename, captured.title, url, format)
  // Awaited here: the folder is removed when this function returns.
  return await keep(browser, folder, { name, output: String(request.output) }, context)
}

// The proxy closes with the visit: no request of the page continues.
async function visit(
  { outbound, browser, proxyLimits = {}, stepLimits: limits }: WebpageParts & { readonly stepLimits: StepLimits },
  folder: JobFolder,
  request: JsonObject,
  { signal, ownerId }: ImportContext,
): Promise<{ readonly end: CallEnd; readonly report: ProxyReport }> {
  using _turn = await browser.takePermit(signal)
  await using proxy = await outbound.openProxy(join(folder.path, socketName), { signal, limits: proxyLimits })
  const end = await browser.call(ownerId, request, { folder, limits, signal })
  return { end, report: proxy.report() }
}

async function keep(
  { openOutput }: BrowserRoom,
  folder: JobFolder,
  { name, output: file }: { readonly name: string; readonly output: string },
  { maxSize, save }: ImportContext,
): Promise<Failure | undefined> {
  const output = await openOutput(folder, file, maxSize)
  if (isFailure(output)) return output
  await using page = output
  await save(name, page.stream())
  return undefined
}
