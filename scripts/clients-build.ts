/** `npm run clients:build`: builds the published packages into .lathe/clients, ready for `npm publish`. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCli } from './packages/build-cli.ts'
import { buildN8n } from './packages/build-n8n.ts'
import { buildSdk } from './packages/build-sdk.ts'

const folder = fileURLToPath(new URL('../.lathe/clients', import.meta.url))
buildSdk(join(folder, 'sdk'))
await buildCli(join(folder, 'cli'))
await buildN8n(join(folder, 'n8n'))
console.log('.lathe/clients: @lathe/sdk, @lathe/cli, n8n-nodes-lathe')
