import { GiB, type Tool, usualProfile } from '../tool.ts'

/** DCMTK: one program that looks at files, and one that makes images of them. */
export const dicomTool: Tool = {
  name: 'dicom',
  family: 'image',
  program: 'usr/bin/dcm2img',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}
