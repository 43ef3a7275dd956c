/** Pages that try to reach a URL, by the feature they use. `url` begins with http:// and ends with a path. */
export const channels: Readonly<Record<string, (url: string) => string>> = {
  img: (url) => `<img src="${url}">`,
  srcset: (url) => `<img srcset="${url} 1x">`,
  link: (url) => `<link rel="stylesheet" href="${url}">`,
  script: (url) => `<script src="${url}"></script>`,
  iframe: (url) => `<iframe src="${url}"></iframe>`,
  object: (url) => `<object data="${url}" type="text/html"></object>`,
  embed: (url) => `<embed src="${url}" type="text/html">`,
  font: (url) => `<style>@font-face { font-family: f; src: url("${url}") } p { font-family: f }</style><p>text</p>`,
  'css-url': (url) => `<p style="background: url('${url}')">text</p>`,
  'css-import': (url) => `<style>@import "${url}";</style>`,
  'import()': (url) => js(`import('${url}').catch(() => {})`),
  fetch: (url) => js(`fetch('${url}').then((r) => r.text()).then((t) => document.body.append(t)).catch(() => {})`),
  xhr: (url) =>
    js(
      `const x = new XMLHttpRequest(); x.open('GET', '${url}'); x.onload = () => document.body.append(x.response); x.send()`,
    ),
  eventsource: (url) => js(`new EventSource('${url}')`),
  ws: (url) => js(`new WebSocket('${url.replace('http:', 'ws:')}')`),
  wss: (url) => js(`new WebSocket('${url.replace('http:', 'wss:')}')`),
  beacon: (url) => js(`navigator.sendBeacon('${url}', 'x')`),
  preconnect: (url) => `<link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="${url}">`,
  prefetch: (url) => `<link rel="prefetch" href="${url}"><link rel="preload" as="image" href="${url}">`,
  prerender: (url) =>
    `<link rel="prerender" href="${url}"><script type="speculationrules">{"prerender": [{"urls": ["${url}"], "eagerness": "immediate"}]}</script>`,
  form: (url) => `<form action="${url}" method="post"><input name="a"></form>${js('document.forms[0].submit()')}`,
  refresh: (url) => `<meta http-equiv="refresh" content="0;url=${url}">`,
  location: (url) => js(`location = '${url}'`),
  history: (url) => js(`history.pushState({}, '', '/pushed'); location.replace('${url}')`),
  open: (url) => js(`open('${url}')`),
  worker: (url) => js(`new Worker(URL.createObjectURL(new Blob(["importScripts('${url}')"])))`),
  'shared-worker': (url) => js(`new SharedWorker(URL.createObjectURL(new Blob(["fetch('${url}')"])))`),
  'service-worker': (url) =>
    js(`navigator.serviceWorker.register('/service-worker.js?${encodeURIComponent(url)}').catch(() => {})`),
  webrtc: (url) =>
    js(`const c = new RTCPeerConnection({ iceServers: [{ urls: ['stun:${hostOf(url)}', 'turn:${hostOf(url)}?transport=tcp'], username: 'a', credential: 'b' }] })
      c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`),
  webtransport: (url) => js(`new WebTransport('${url.replace('http:', 'https:')}')`),
  ping: (url) => `<a id="a" href="#x" ping="${url}">a</a>${js("document.getElementById('a').click()")}`,
  video: (url) => `<video src="${url}" poster="${url}" autoplay muted></video>`,
  audio: (url) => `<audio src="${url}" autoplay muted></audio>`,
  track: (url) =>
    `<video crossorigin><track default kind="captions" src="${url}"></video>${js("document.querySelector('track').track.mode = 'showing'")}`,
  svg: (url) => `<svg><image href="${url}"/><use href="${url}#a"/></svg>`,
  manifest: (url) => `<link rel="manifest" href="${url}"><link rel="icon" href="${url}">`,
  blob: (url) =>
    js(
      `const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<img src="${url}">'], { type: 'text/html' })); document.body.append(f)`,
    ),
  data: (url) => `<iframe src="data:text/html,<img src='${url}'>"></iframe>`,
  srcdoc: (url) => `<iframe srcdoc="<img src='${url}'>"></iframe>`,
  'view-source': (url) => `<iframe src="view-source:${url}"></iframe>`,
}

const js = (script: string) => `<body><script>${script}</script>`
const hostOf = (url: string) => new URL(url).host

/** Local URLs that a page may try to show. */
export const localAddresses: readonly string[] = [
  'file:///etc/passwd',
  'file:///proc/self/environ',
  'file://localhost/etc/passwd',
  'view-source:file:///etc/passwd',
  'filesystem:http://127.0.0.1/temporary/x',
  'chrome://version/',
  'chrome://net-internals/',
  'devtools://devtools/bundled/inspector.html',
  'about:version',
  'ftp://127.0.0.1/',
]
