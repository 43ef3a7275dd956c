import { once } from 'node:events'
import { allowPaths, createMcpServer, createUploads } from '@lathe/mcp'
import type { Lathe } from '@lathe/sdk'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

export interface McpFlags {
  /** Folders that files may be read from. */
  readonly allow: readonly string[]
}

/** Serves Lathe as tools for the parent process, over stdin and stdout. */
export async function serveMcp(lathe: Lathe, { allow }: McpFlags, version: string, signal: AbortSignal): Promise<void> {
  const local = { checkPath: allowPaths(allow), uploads: createUploads() }
  const served = serveStdio(() => createMcpServer({ lathe, version, local }), {
    onerror: (error) => void process.stderr.write(`lathe: ${error.message}\n`),
  })
  await Promise.race([once(process.stdin, 'end'), once(signal, 'abort')])
  await Promise.all([served.close(), local.uploads.stop()])
}
