// Writes the files generated from the source; with --check it only lists those that are stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { renderCatalogNames } from './generate/catalog-names.ts'
import { renderCliOptions } from './generate/cli-options.ts'
import { renderConfiguration } from './generate/configuration.ts'
import { renderErrors } from './generate/errors.ts'
import { renderFormats } from './generate/formats.ts'
import { renderLimits } from './generate/limits.ts'
import { completeLockfile } from './generate/lockfile.ts'
import { renderN8nOperations } from './generate/n8n-operations.ts'
import { renderAuthOpenApi, renderOpenApi } from './generate/openapi.ts'
import { renderOperations } from './generate/operations.ts'
import { renderOptions } from './generate/options.ts'
import { renderPythonOptions } from './generate/python-options.ts'
import { renderPythonRequests } from './generate/python-requests.ts'
import { renderPythonTypes } from './generate/python-types.ts'
import { renderSchema } from './generate/schema.ts'
import { renderSdkOptions } from './generate/sdk-options.ts'
import { renderSdkTypes } from './generate/sdk-types.ts'
import { renderSdkVersion } from './generate/sdk-version.ts'
import { boards } from './generate/watching/boards/all.ts'
import { renderBoard } from './generate/watching/render-board.ts'
import { renderRules } from './generate/watching/render-rules.ts'
import { renderWebOperations } from './generate/web-operations.ts'

const dashboards = boards.map((board) => [`deploy/grafana/${board.uid}.json`, () => renderBoard(board)] as const)

const artefacts: Readonly<Record<string, (current: string) => string | Promise<string>>> = {
  'deploy/prometheus/rules.yml': renderRules,
  ...Object.fromEntries(dashboards),
  'docs/api/auth-openapi.json': renderAuthOpenApi,
  'docs/api/openapi.json': renderOpenApi,
  'docs/api/operations.md': renderOperations,
  'docs/configuration.md': renderConfiguration,
  'docs/errors.md': renderErrors,
  'docs/formats.md': renderFormats,
  'docs/limits.md': renderLimits,
  'docs/options.md': renderOptions,
  'packages/engines/src/generated/catalog-names.ts': renderCatalogNames,
  'packages/database/schema.sql': renderSchema,
  'apps/cli/src/generated/option-flags.ts': renderCliOptions,
  'packages/sdk/src/generated/options.ts': renderSdkOptions,
  'packages/sdk/src/generated/types.ts': renderSdkTypes,
  'packages/sdk/src/generated/version.ts': renderSdkVersion,
  'clients/python/src/lathe/generated/options.py': renderPythonOptions,
  'clients/python/src/lathe/generated/requests.py': renderPythonRequests,
  'clients/python/src/lathe/generated/types.py': renderPythonTypes,
  'packages/n8n-nodes-lathe/src/nodes/generated/operations.ts': renderN8nOperations,
  'packages/n8n-nodes-lathe/src/nodes/generated/types.ts': renderSdkTypes,
  'apps/web/src/generated/operations.ts': renderWebOperations,
  'package-lock.json': completeLockfile,
}

const root = new URL('../', import.meta.url)
const onlyCheck = process.argv.includes('--check')
let stale = 0

for (const [path, render] of Object.entries(artefacts)) {
  const file = new URL(path, root)
  const current = await readFile(file, 'utf8').catch(() => '')
  const fresh = await render(current)
  if (fresh === current) continue
  stale += 1
  console.log(`${onlyCheck ? 'stale' : 'written'}: ${path}`)
  if (onlyCheck) continue
  await mkdir(dirname(file.pathname), { recursive: true })
  await writeFile(file, fresh)
}

if (stale === 0) console.log('every generated file is as its source says')
if (onlyCheck && stale > 0) {
  console.log('run `npm run generate` and commit the result')
  process.exitCode = 1
}
