// sample-files.ts SEED COUNT FILE...: prints so many of the files, the same ones for the same seed.
import { sampleFiles } from './sample-files/sample-files.ts'

const [seed = '', count = '', ...files] = process.argv.slice(2)
for (const file of sampleFiles(files, { seed, count: Number(count) })) console.log(file)
