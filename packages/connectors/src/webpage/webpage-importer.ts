import { join } from 'node:path'
import { type Failure, failure, isFailure } from '@lathe/domain'
import { captureFormat } from '@lathe/operations'
import type { Outbound, ProxyLimits, ProxyReport } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import type { CallEnd, JobFolder, JsonObject, Sandbox, StepLimits, WarmPool } from '@lathe/sandbox'
import type { ImportContext, Importer } from '../importer.ts'
import { socketName, toCaptureRequest } from './capture-request.ts'
import { judgeCapture, warningsOf } from './judge-capture.ts'
import { browserLimits, captureLimits } from './limits.ts'
import { pageName } from './page-name.ts'
import { toShotRequest } from './shot-request.ts'

/** Where browsers run. */
export interface BrowserRoom extends Pick<Sandbox, 'createJobFolder' | 'openOutput'>, Pick<WarmPool, 'call'> {
  /** Waits until an engine may run: a browser is one. */
  takePermit(signal: AbortSignal): Promise<Disposable>
}

export interface WebpageParts {
  readonly outbound: Pick<Outbound, 'judge' | 'openProxy'>
  readonly browser: BrowserRoom
  /** How much a page may ask for, and its browser take, where it is not the usual. */
  readonly proxyLimits?: Partial<ProxyLimits>
  readonly stepLimits?: Partial<StepLimits>
}

/** What opens pages: what each asks of the browser, how long that may take, and what comes out. */
const visits = {
  'import/webpage': { toRequest: toCaptureRequest, limits: browserLimits, formatOf: () => 'mhtml' },
  capture: { toRequest: toShotRequest, limits: captureLimits, formatOf: captureFormat },
} as const

/** Opens a page in a browser without a network, whose only way out is the proxy, and keeps it with all it shows. */
export function createWebpageImporter(
  parts: WebpageParts,
  operation: keyof typeof visits = 'import/webpage',
): Importer {
  const { outbound, browser } = parts
  const { toRequest, limits, formatOf } = visits[operation]
  const stepLimits = { ...limits, ...parts.stepLimits }
  return {
    operation,

    async run(payload, context) {
      const url = revealText(payload.url)
      if (url === undefined) return failure('url_forbidden')
      const refused = outbound.judge(url)
      if (refused) return refused
      await using folder = await browser.createJobFolder()
      const request = toRequest(url, payload)
      const visited = await visit({ ...parts, stepLimits }, folder, request, context)
      if (isFailure(visited.end)) return visited.end
      const captured = judgeCapture(visited.end.result, visited.report)
      if (isFailure(captured)) return captured
      for (const warning of warningsOf(captured, visited.report)) context.warn(warning)
      const name = pageName(payload.filename, captured.title, url, formatOf(payload))
      return keep(browser, folder, { name, output: String(request.output) }, context)
    },
  }
}

// The proxy ends with the visit: nothing that the page has started goes on.
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
