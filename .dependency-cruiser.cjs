const mayImport = require('./scripts/import-table.cjs')

// Packages without input and output.
const pure = ['domain', 'formats', 'operations', 'engines', 'contract']

// Who may use what exists for tests alone: @lathe/testing, and a port's contract suite.
const testCode = String.raw`\.test\.ts$|^packages/testing/|^(packages|apps)/[^/]+/src/testing/|^e2e/|^bench/|^scripts/generate/`
const inPackages = (names) => `^packages/(${names.join('|')})/`

const tableRules = Object.entries(mayImport).map(([folder, names]) => ({
  name: `only-what-the-table-allows: ${folder}`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: {
    path: '^(packages|apps|clients|e2e|bench)/',
    pathNot: [`^${folder}/`, '^packages/testing/', ...(names.length > 0 ? [inPackages(names)] : [])],
  },
}))

// swc parses `using` but its visitor does not know the statement yet: show it the declarations inside.
const { Visitor } = require('@swc/core/Visitor.js')
const { visitStatement } = Visitor.prototype
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  this.visitVariableDeclarators(statement.decls)
  return statement
}

module.exports = {
  forbidden: [
    ...tableRules,
    {
      name: 'pure-packages-do-no-input-or-output',
      comment:
        'A runner is plain JavaScript that runs inside the sandbox, not part of the package that names it; neither is what tests share.',
      severity: 'error',
      from: {
        path: inPackages(pure),
        pathNot: [String.raw`\.test\.ts$`, String.raw`\.mjs$`, '^packages/[^/]+/src/testing/'],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'apps-do-not-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'clients-import-nothing-inside',
      severity: 'error',
      from: { path: '^clients/' },
      to: { path: '^(packages|apps|e2e|bench|scripts)/' },
    },
    {
      name: 'test-helpers-stay-in-tests',
      severity: 'error',
      from: { path: '.', pathNot: testCode },
      to: { path: ['^packages/testing/', '^(packages|apps)/[^/]+/src/testing/'] },
    },
    {
      name: 'packages-are-entered-by-their-front-door',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/',
        pathNot: [
          '^$1/$2/',
          String.raw`^packages/[^/]+/src/(testing/)?index\.ts$`,
          String.raw`^packages/testing/src/vitest\.ts$`,
        ],
      },
    },
    {
      name: 'no-cycles',
      comment: 'Types may refer to each other: such imports are gone at run time.',
      severity: 'error',
      from: { pathNot: testCode },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolved-imports',
      comment: 'n8n provides n8n-workflow where its nodes run; its license does not allow it as a dependency.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^n8n-workflow$' },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API for JavaScript callers; swc reads the source instead.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`(^|/)(node_modules|\.lathe)/|^apps/(web|guide)/dist/|^apps/guide/\.astro/` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.css'],
    },
  },
}
