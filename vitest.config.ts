import { defineConfig } from 'vitest/config'
import { RunOrder } from './e2e/src/run-order.ts'
import { OutsideReporter } from './scripts/ci/outside-reporter.ts'

// Files share processes: loading the modules anew for each took longer than many of the tests.
const slow = { testTimeout: 120_000, hookTimeout: 300_000, isolate: false }

// The file for the report of a run that a program judges: scripts/ci/run-suite.ts.
const report = process.env.LATHE_TEST_REPORT

export default defineConfig({
  test: {
    ...(report && {
      reporters: ['default', ['json', { outputFile: report }], new OutsideReporter(`${report}.outside`)],
    }),
    // Projects with different numbers of workers can be named in one command only if they run one after another: groupOrder.
    sequence: { sequencer: RunOrder },
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: 1 },
          // The longest takes seconds alone; a busy machine is no fault of the code.
          testTimeout: 120_000,
          // Pure code and in-memory parts: files may share a process, which halves the time.
          pool: 'threads',
          isolate: false,
          include: ['{packages,apps,scripts,bench,e2e}/**/*.test.ts'],
          // What is in e2e besides meets a whole stack.
          exclude: ['**/*.int.test.ts', 'e2e/src/{scenarios,chaos,attacks,web}/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'int',
          sequence: { groupOrder: 2 },
          include: ['{packages,apps,scripts}/**/*.int.test.ts'],
          setupFiles: ['packages/testing/src/leak-check.ts'],
          maxWorkers: 2,
          ...slow,
        },
      },
      // One stack serves all scenarios: files run one after another against it.
      {
        test: {
          name: 'e2e',
          sequence: { groupOrder: 3 },
          include: ['e2e/src/scenarios/**/*.test.ts'],
          globalSetup: ['e2e/src/global-setup.ts'],
          fileParallelism: false,
          ...slow,
        },
      },
      // The pages in a real browser, against a stack without accounts and one with them.
      {
        test: {
          name: 'web',
          sequence: { groupOrder: 4 },
          include: ['e2e/src/web/**/*.test.ts'],
          globalSetup: ['e2e/src/web/global-setup.ts'],
          fileParallelism: false,
          ...slow,
          testTimeout: 60_000,
          // A page has as long as whoever looks at it would wait; a second is over at once on a busy machine.
          expect: { poll: { timeout: 15_000 } },
        },
      },
      // Each file starts and harms a stack of its own.
      {
        test: {
          name: 'chaos',
          sequence: { groupOrder: 5 },
          include: ['e2e/src/chaos/**/*.test.ts'],
          fileParallelism: false,
          ...slow,
          testTimeout: 300_000,
        },
      },
      // Hostile inputs against the whole service, one file after another: each watches what its worker leaves behind.
      {
        test: {
          name: 'attacks',
          sequence: { groupOrder: 6 },
          include: ['e2e/src/attacks/**/*.test.ts'],
          fileParallelism: false,
          ...slow,
          testTimeout: 300_000,
        },
      },
    ],
  },
})
