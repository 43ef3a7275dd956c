import { expect, it } from 'vitest'
import { parseHardLimits } from './hard-limits.ts'

it('reads hard limits, and leaves out what is unlimited', () => {
  const text = `Limit                     Soft Limit           Hard Limit           Units
Max file size             unlimited            unlimited            bytes
Max data size             1024                 4096                 bytes
Max core file size        0                    0                    bytes
Max processes             500                  1000                 processes
Max open files            1024                 524288               files
Max locked memory         65536                65536                bytes
`
  expect(parseHardLimits(text)).toEqual({ core: 0, data: 4096, nproc: 1000, nofile: 524_288, memlock: 65_536 })
})
