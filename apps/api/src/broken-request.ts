import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Problem } from '@lathe/domain'
import { toErrorBody } from './error-handler.ts'

/** Answers requests that are not valid HTTP or have oversized headers, with the same body as any other error. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(
    toErrorBody(new Problem('invalid_request', { msg: 'The request is not valid HTTP.' }), randomUUID()),
  )
  const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close']
  socket.end([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'))
}
