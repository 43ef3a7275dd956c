/** The size of a long test: `whole`, or with `LATHE_TEST_SIZE=sample` the part that every change must pass. */
export function amount({ whole, sample }: { readonly whole: number; readonly sample: number }): number {
  return process.env.LATHE_TEST_SIZE === 'sample' ? sample : whole
}
