/** A file within a stored page. */
export interface PagePart {
  readonly type: string
  readonly location: string
  readonly content: string | Uint8Array
  readonly id?: string
}

/** A stored web page of these parts, the page itself first, as browsers write it. */
export function makeMhtml(parts: readonly PagePart[]): string {
  const boundary = '----sample----'
  const head = [
    'From: <Saved by Blink>',
    `Snapshot-Content-Location: ${parts[0]?.location}`,
    'Subject: Sample',
    'MIME-Version: 1.0',
    `Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="${boundary}"`,
  ]
  const bodies = parts.map(({ type, location, content, id }) =>
    [
      `--${boundary}`,
      `Content-Type: ${type}`,
      ...(id === undefined ? [] : [`Content-ID: <${id}>`]),
      'Content-Transfer-Encoding: base64',
      `Content-Location: ${location}`,
      '',
      Buffer.from(content).toString('base64'),
    ].join('\r\n'),
  )
  return [...head, '', '', ...bodies, `--${boundary}--`, ''].join('\r\n')
}

const square =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="#00f"/></svg>'

/** A page of 2,000 pixels' height with a style sheet, a picture, a frame, and things that must not work any more. */
export const samplePage = makeMhtml([
  {
    type: 'text/html',
    location: 'http://pages.example/',
    id: 'frame-1@mhtml.blink',
    content: `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Sample</title>
<link rel="stylesheet" href="http://pages.example/style.css"><meta http-equiv="refresh" content="1;url=http://elsewhere.example/">
</head><body onload="document.title = 'ran'"><h1>Häuser am Fluß</h1>
<img src="http://pages.example/square.svg"><img src="http://elsewhere.example/tracker.png">
<script>document.body.append('SCRIPT RAN')</script><a href="javascript:alert(1)">bad</a> <a href="/good">good</a>
<iframe src="cid:frame-2@mhtml.blink"></iframe><p id="end">The end.</p></body></html>`,
  },
  {
    type: 'text/css',
    location: 'http://pages.example/style.css',
    content: `body { margin: 0; height: 2000px; background: #fff } h1 { margin: 0; color: #f00; background: url("square.svg") }
@media print { #end { break-before: page } h1::after { content: " in print" } }`,
  },
  { type: 'image/svg+xml', location: 'http://pages.example/square.svg', content: square },
  {
    type: 'text/html',
    location: 'http://pages.example/frame',
    id: 'frame-2@mhtml.blink',
    content: '<p>Within a frame.</p><script>parent.document.title = "ran"</script>',
  },
])
