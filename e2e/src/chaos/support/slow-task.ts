import type { Task } from '@lathe/contract'
import type { Client } from './client.ts'
import { noisePicture } from './noise-picture.ts'

export const slowSize = { width: 4000, height: 3000 } as const

/** A conversion that takes an engine some seconds on an idle core: 12 megapixels of noise to AVIF. */
export async function startSlowTask(client: Client): Promise<Task> {
  const upload = await client.upload(noisePicture(slowSize.width, slowSize.height), 'noise.png')
  return client.create('convert', { input: upload.id, output_format: 'avif', options: { effort: 0 } })
}
