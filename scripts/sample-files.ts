/**
 * sample-files.ts SEED COUNT [--always=NAME,NAME] FILE...: prints COUNT of the files, the same ones for the same seed, and
 * among them those whose names begin with one of the given ones.
 */
import { parseArgs } from 'node:util'
import { sampleFiles } from './sample-files/sample-files.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { always: { type: 'string' } } })
const [seed = '', count = '', ...files] = positionals
const always = values.always?.split(',') ?? []
for (const file of sampleFiles(files, { seed, count: Number(count), always })) console.log(file)
