import { connect } from 'node:net'
import type { UploadForm } from '@lathe/contract'

/** A client that sends a form's file slowly and keeps the answer. */
export interface SlowSender extends Disposable {
  isOpen(): boolean
  answer(): string
}

/** Starts to send a file of 5 MB to a form: some bytes now, and some more at each step. */
export function startSlowSender(base: string, form: UploadForm, step: { bytes: number; everyMs: number }): SlowSender {
  const { port, hostname } = new URL(base)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  const answers: Buffer[] = []
  let isOpen = true
  const timer = setInterval(() => socket.write(Buffer.alloc(step.bytes, 120)), step.everyMs)
  socket.on('data', (bytes) => answers.push(bytes))
  socket.once('close', () => {
    isOpen = false
    clearInterval(timer)
  })
  const { signature = '' } = form.parameters
  const part = (name: string) => `--B\r\nContent-Disposition: form-data; name="${name}"`
  socket.write(
    `POST ${new URL(form.url).pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 5000000\r\n\r\n${part('signature')}\r\n\r\n${signature}\r\n${part('file')}; filename="a"\r\n\r\n`,
  )
  return {
    isOpen: () => isOpen,
    answer: () => Buffer.concat(answers).toString(),
    [Symbol.dispose]() {
      clearInterval(timer)
      socket.destroy()
    },
  }
}
