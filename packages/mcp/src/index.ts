export { allowPaths } from './allowed-paths.ts'
export { createMcpServer } from './create-server.ts'
export { createUploads } from './uploads.ts'
