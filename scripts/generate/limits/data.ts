import { dataLimits } from '../../../packages/engines/src/data/limits.ts'
import { bytes, count, type LimitGroup, threeSteps, unmeasured } from './limit.ts'

const file = 'e2e/src/attacks/limits/data.test.ts'
const attacks = 'packages/engines/src/data/attacks.int.test.ts: a document that is too much'
const isLarge = 'The task fails with `limit_exceeded`.'

/** Limits of JSON, YAML, TOML, XML and tables, calendars and contacts, where they are converted as data. */
export const data: LimitGroup = {
  title: 'Data, calendars and contacts',
  limits: [
    {
      id: 'L-data-bytes',
      name: 'Size of a file of data, a calendar or contacts; text of YAML with its aliases written out',
      value: bytes(dataLimits.bytes),
      beyond: `${isLarge} Split the file.`,
      tests: [
        ...threeSteps(file, 'bytes of data, 64 MiB'),
        ...threeSteps(file, 'text of YAML with its aliases, 64 MiB'),
        `${attacks} > is refused if it grows when it is read: %s`,
      ],
      real: unmeasured.data,
    },
    {
      id: 'L-data-values',
      name: 'Values in data: lists, objects, and what they hold; in a table, cells and rows',
      value: count(dataLimits.values),
      beyond: `${isLarge} Split the file.`,
      tests: [
        ...threeSteps(file, 'values of data, 5,000,000'),
        `${attacks} > is refused if it grows when it is read: %s`,
      ],
      real: unmeasured.data,
    },
    {
      id: 'L-data-depth',
      name: 'Lists and objects inside one another',
      value: count(dataLimits.depth),
      beyond: isLarge,
      tests: [
        ...threeSteps(file, 'levels of JSON, 200'),
        ...threeSteps(file, 'levels of YAML, 200'),
        `${attacks} > is refused however deep it is: %s`,
      ],
      real: unmeasured.data,
    },
    {
      id: 'L-data-cells',
      name: 'Rows times columns of a table that data becomes',
      value: count(dataLimits.cells),
      beyond: `${isLarge} Split the file, or convert it to \`jsonl\`.`,
      tests: [...threeSteps(file, 'cells of a table, 10,000,000'), `${attacks} > is refused if a table of it grows`],
      real: unmeasured.data,
    },
  ],
}
