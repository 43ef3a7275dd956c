import type { PlanBench } from '@lathe/testing'
import { type Facts, type Given, refuse } from './facts.ts'
import { openText } from './open-text.ts'
import { fileOf, runTool } from './run-tool.ts'

/** Python's built-in readers. Each must find something in the file. */
const readers: Readonly<Record<string, string>> = {
  jsonl: 'import json; print(len([json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]))',
  yaml: 'import yaml; print(len(yaml.safe_load(open(sys.argv[1], encoding="utf-8"))))',
  toml: 'import tomllib; print(len(tomllib.load(open(sys.argv[1], "rb"))))',
  tsv: 'import csv; print(len(list(csv.reader(open(sys.argv[1], encoding="utf-8", newline=""), delimiter="\\t"))))',
  xml: 'from xml.etree import ElementTree; print(len(list(ElementTree.parse(sys.argv[1]).iter())))',
}

export function isData(format: string): boolean {
  return readers[format] !== undefined
}

/** Opens a data document with a reader other than the engine's, if there is one. */
export async function openData(bench: PlanBench, given: Given): Promise<Facts> {
  const { format } = given
  openText(given)
  const { stdout } = await runTool(bench, 'python3', ['-c', `import sys; ${readers[format]}`, fileOf(given)], { given })
  if (!(Number(stdout) > 0)) refuse(format, 'there is nothing in it')
  return { format }
}
