import { findFormat } from '@lathe/formats'
import { type ProcessingOperation, processingOperations } from '@lathe/operations'
import { type Ability, anyFormat, type Engine } from './engine.ts'
import { engines } from './engines.ts'

interface Catalog {
  readonly operations: readonly ProcessingOperation[]
  readonly engines: readonly Pick<Engine, 'id' | 'abilities'>[]
}

/**
 * Throws if an operation has no engine, or if an ability names an operation or a format that does not exist. Workers
 * call it when they start: clients would otherwise be offered what fails for every file, or miss what works.
 */
export function checkCatalog(catalog: Catalog = { operations: processingOperations, engines }): void {
  const abilities = catalog.engines.flatMap((engine) => engine.abilities)
  const done = new Set<string>(abilities.map(({ operation }) => operation))
  const faults = [
    ...catalog.operations.filter((name) => !done.has(name)).map((name) => `no engine has an ability for ${name}`),
    ...catalog.engines.flatMap(({ id, abilities: own }) =>
      [...new Set(own.flatMap((ability) => faultsOf(ability, catalog)))].map((fault) => `${id}: ${fault}`),
    ),
  ]
  if (faults.length > 0) throw new Error(`Bad catalog of operations and engines:\n  ${faults.join('\n  ')}`)
}

function faultsOf({ operation, from, to }: Ability, { operations }: Catalog): string[] {
  const formats = [from, to].filter((ext) => ext !== anyFormat && findFormat(ext)?.ext !== ext)
  return [
    ...(operations.includes(operation) ? [] : [`there is no operation ${operation}`]),
    ...formats.map((ext) => `there is no format ${ext}`),
  ]
}
