import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Problem } from '@lathe/domain'
import type { Logger } from '@lathe/runtime'
import { toErrorBody } from './error-handler.ts'

/** Why Node refused a request, by the code of its error. All others are faults of the syntax. */
const reasons: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The headers of the request did not arrive in time.',
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
}

/** Answers requests that Node refuses before there is a request, with the same body as any other error. */
export function answerBrokenRequests(log: Logger) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    const { code = '' } = error
    // On a connection on which nothing was sent, an answer would be taken for that of the first request.
    if (code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    const requestId = randomUUID()
    log.info(
      { requestId, code, bytesRead: socket.bytesRead, bytesWritten: socket.bytesWritten },
      'request refused by the HTTP parser',
    )
    const problem = new Problem('invalid_request', { msg: reasons[code] ?? 'The request is not valid HTTP.' })
    const body = JSON.stringify(toErrorBody(problem, requestId))
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close']
    socket.end([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'))
  }
}
