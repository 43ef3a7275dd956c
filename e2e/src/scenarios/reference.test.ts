import { describe, expect, it } from 'vitest'
import { type FileServer, sends, startFileServer } from '../file-server.ts'
import { completed, newClient, outputOf, stack } from '../scenario.ts'

const timeout = 180_000

/** The reference as the api serves it, in front of a browser that reports what its policy refuses. */
async function serveReference(): Promise<FileServer & { readonly reports: string[] }> {
  const [page, style] = await Promise.all([fetch(`${stack.url}/docs`), fetch(`${stack.url}/docs/style.css`)])
  const policy = `${page.headers.get('content-security-policy')}; report-uri /report`
  const headers = { 'content-type': page.headers.get('content-type') ?? '', 'content-security-policy': policy }
  const html = await page.text()
  const reports: string[] = []
  const server = await startFileServer({
    '/docs': sends(Buffer.from(html), headers),
    '/tampered': sends(Buffer.from(html.replace('</main>', '<script>document.title = "ran"</script></main>')), headers),
    '/docs/style.css': sends(Buffer.from(await style.arrayBuffer()), { 'content-type': 'text/css' }),
    '/report': (request, response) => {
      request.setEncoding('utf8').on('data', (text) => reports.push(text))
      response.end()
    },
  })
  return Object.assign(server, { reports })
}

describe('the reference page in a browser', { timeout }, () => {
  it('S15: is displayed under its Content-Security-Policy, which blocks an injected script', async () => {
    await using server = await serveReference()
    const api = await newClient()
    const shown = completed(await api.run('import/webpage', { url: `${server.url}/docs` }))
    expect(server.reports).toEqual([])
    expect([...server.visits.keys()].sort()).toEqual(['/docs', '/docs/style.css'])
    expect(shown.result.files).toMatchObject([{ filename: 'Lathe API.mhtml' }])
    const kept = (await outputOf(api, shown)).toString()
    expect(kept).toContain('/docs/style.css')
    expect(kept).toContain('grid-template-columns')

    const tampered = completed(await api.run('import/webpage', { url: `${server.url}/tampered` }))
    expect(tampered.result.files).toMatchObject([{ filename: 'Lathe API.mhtml' }])
    expect(server.reports.join()).toContain('script-src')
  })
})
