/** The data about a system call that a filter sees. */
export interface CallData {
  readonly number: number
  readonly architecture: number
  readonly arguments?: readonly bigint[]
}

/**
 * Runs a classic BPF program over struct seccomp_data as the kernel does, and returns its result. Throws on anything
 * that the kernel's checker would refuse: an unknown instruction, a jump out of the program, a missing end.
 */
export function runBpf(program: Uint8Array, call: CallData): number {
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength)
  const data = toData(call)
  let accumulator = 0
  for (let at = 0; at * 8 < program.length; at += 1) {
    const operation = code.getUint16(at * 8, true)
    const [whenTrue, whenFalse] = [code.getUint8(at * 8 + 2), code.getUint8(at * 8 + 3)]
    const k = code.getUint32(at * 8 + 4, true)
    const jump = (holds: boolean) => {
      at += holds ? whenTrue : whenFalse
    }
    if (operation === 0x20 && k % 4 === 0) accumulator = data.getUint32(k, true)
    else if (operation === 0x15) jump(accumulator === k)
    else if (operation === 0x25) jump(accumulator > k)
    else if (operation === 0x45) jump((accumulator & k) !== 0)
    else if (operation === 0x05) at += k
    else if (operation === 0x06) return k
    else throw new Error(`no such instruction: ${operation}`)
  }
  throw new Error('the program ran past its end')
}

function toData({ number, architecture, arguments: args = [] }: CallData): DataView {
  const data = new DataView(new ArrayBuffer(64))
  data.setInt32(0, number, true)
  data.setUint32(4, architecture, true)
  for (const [n, value] of args.entries()) data.setBigUint64(16 + 8 * n, BigInt.asUintN(64, value), true)
  return data
}
