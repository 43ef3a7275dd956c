// @ts-check
/**
 * The runner of the browser engine. It runs inside the sandbox and speaks JSON lines: a request on stdin, one answer on
 * stdout. It is ready when its browser is, serves one request with it, and is ended after that with its sandbox.
 */
import { createInterface } from 'node:readline'
import { capture } from './capture.mjs'
import { toPdf, toPicture } from './draw.mjs'
import { toHtml } from './html.mjs'
import { openBrowser } from './open-browser.mjs'
import { Refusal, toRefusal } from './refusal.mjs'

const works = { capture, html: toHtml, pdf: toPdf, picture: toPicture }

/** @param {Record<string, unknown>} message */
function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

// Plans name files `in-0.mhtml`; anything else is a fault on our side and must not become a path.
const plainName = /^[a-z]{1,8}(-\d{1,6})?\.[a-z0-9]{1,8}$/

/** @param {any} request */
function check(request) {
  const names = [request.input, request.output, request.socket].filter((name) => name !== undefined)
  if (!names.every((name) => plainName.test(name))) throw new Refusal('engine_crashed', undefined, 'bad file name')
}

/** @param {{ id: number, dir: string, request: any }} message */
async function answer({ id, dir, request }) {
  try {
    check(request)
    const work = works[/** @type {keyof typeof works} */ (request.op)]
    if (!work) throw new Refusal('unsupported', undefined, 'no such operation')
    send({ id, ok: true, result: await work(dir, request, browser) })
  } catch (error) {
    const { code, text, detail } = toRefusal(error)
    send({ id, ok: false, code, text, detail })
  }
}

const browser = await openBrowser()
let isServing = false
// A browser that ends while it waits is of no use; during a request, the request tells.
browser.onGone(() => {
  if (!isServing) process.exit(1)
})
send({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  if (line === '') continue
  isServing = true
  await answer(JSON.parse(line))
}
