import type { PlanBench } from '@lathe/testing'
import { type Given, refuse } from './facts.ts'

/** Runs a program of the engine root on a file; refuses the file if the program fails. */
export async function runTool(
  bench: PlanBench,
  program: string,
  args: readonly string[],
  { given, outputs = [] }: { given: Given; outputs?: readonly string[] },
): Promise<{ stdout: string; outputs: Readonly<Record<string, Buffer>> }> {
  const files = { [fileOf(given)]: given.bytes }
  const { end, stdout, outputs: made } = await bench.tool(program, args, { files, outputs })
  if (end.kind !== 'exited' || end.code !== 0) refuse(given.format, `${program} says ${describeEnd(end)} ${stdout}`)
  return { stdout, outputs: made }
}

/** The file name that programs see. */
export function fileOf({ format }: Pick<Given, 'format'>): string {
  return `in.${format}`
}

function describeEnd(end: Awaited<ReturnType<PlanBench['tool']>>['end']): string {
  const stderr = 'stderr' in end ? end.stderr : ''
  return end.kind === 'exited' ? `${end.code}: ${stderr}` : `${JSON.stringify(end)}`
}
