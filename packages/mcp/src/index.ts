export { allowPaths, type PathCheck } from './allowed-paths.ts'
export { createMcpServer, type LocalFiles, type McpServerParts } from './create-server.ts'
export { createUploads, type Upload, type Uploads } from './uploads.ts'
