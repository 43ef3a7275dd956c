export { chunkOf, manyChunks, readText } from './bytes.ts'
export { type StoreUnderTest, testObjectStore } from './object-store-suite.ts'
