export { allowPaths, type PathCheck } from './allowed-paths.ts'
export { createMcpServer, type McpServerParts } from './create-server.ts'
