import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { sandboxConfig, sandboxEnv } from './config.ts'

function read(env: Readonly<Record<string, string>>) {
  return sandboxConfig(Value.Parse(sandboxEnv, Value.Default(sandboxEnv, { ...env })))
}

describe('the configuration of the sandbox', () => {
  it('assumes production by default, and allows nothing insecure there', () => {
    expect(read({}).allowInsecure).toBe(false)
    expect(read({ ALLOW_INSECURE_SANDBOX: '1' }).allowInsecure).toBe(false)
    expect(read({ ALLOW_INSECURE_SANDBOX: '1', LATHE_ENVIRONMENT: 'production' }).allowInsecure).toBe(false)
    expect(read({ LATHE_ENVIRONMENT: 'development' }).allowInsecure).toBe(false)
    expect(read({ ALLOW_INSECURE_SANDBOX: '1', LATHE_ENVIRONMENT: 'development' }).allowInsecure).toBe(true)
  })

  it('uses a runtime only if the operator declares it as trusted', () => {
    expect(read({ SANDBOX_RUNTIME: '/bin/vm' }).runtime).toBeUndefined()
    expect(read({ SANDBOX_RUNTIME_ATTESTED: '1' }).runtime).toBeUndefined()
    expect(read({ SANDBOX_RUNTIME: '/bin/vm', SANDBOX_RUNTIME_ATTESTED: '1' }).runtime).toBe('/bin/vm')
  })
})
