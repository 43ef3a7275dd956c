import { GiB, type Tool, usualProfile } from '../tool.ts'

/** DCMTK: one program reads headers, another converts files to images. */
export const dicomTool: Tool = {
  name: 'dicom',
  family: 'image',
  program: 'usr/bin/dcm2img',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}
