import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs files in path order, but `*.last.test.ts` after all others: it checks what they did. */
export class RunOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => `${moduleId.endsWith('.last.test.ts') ? 1 : 0}${moduleId}`
    return files.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }
}
