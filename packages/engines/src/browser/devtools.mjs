// @ts-check
import { EventEmitter } from 'node:events'

/**
 * Speaks the DevTools protocol over a pair of pipes: JSON messages, each ended by a zero byte. Events are emitted by
 * their names, with their parameters and the session they belong to.
 */
export class DevTools extends EventEmitter {
  #input
  #count = 0
  #closed = false
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #open = new Map()
  /** @type {Buffer[]} */
  #parts = []

  /**
   * @param {import('node:stream').Writable} input
   * @param {import('node:stream').Readable} output
   */
  constructor(input, output) {
    super()
    this.setMaxListeners(0)
    this.#input = input
    input.on('error', () => this.#close())
    output.on('data', (chunk) => this.#read(chunk))
    output.on('close', () => this.#close())
    output.on('error', () => this.#close())
  }

  /**
   * Asks for one thing and gives the answer; throws what the browser says against it.
   *
   * @param {string} method
   * @param {Record<string, unknown>} [params]
   * @param {string} [sessionId]
   * @returns {Promise<any>}
   */
  send(method, params = {}, sessionId) {
    if (this.#closed) return Promise.reject(new Error('the browser is gone'))
    this.#count += 1
    const id = this.#count
    const { promise, resolve, reject } = Promise.withResolvers()
    this.#open.set(id, { resolve, reject: (error) => reject(new Error(`${method}: ${error.message}`)) })
    this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    return promise
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    let start = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      // Joined once per message: a page can be a hundred megabytes in many pieces.
      const message = Buffer.concat([...this.#parts, chunk.subarray(start, end)])
      this.#parts = []
      start = end + 1
      this.#take(JSON.parse(message.toString()))
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start))
  }

  /** @param {any} message */
  #take({ id, result, error, method, params, sessionId }) {
    if (method !== undefined) return void this.emit(method, params, sessionId)
    const asked = this.#open.get(id)
    this.#open.delete(id)
    if (error) asked?.reject(new Error(error.message))
    else asked?.resolve(result)
  }

  #close() {
    this.#closed = true
    for (const { reject } of this.#open.values()) reject(new Error('the browser is gone'))
    this.#open.clear()
    this.emit('gone')
  }
}
