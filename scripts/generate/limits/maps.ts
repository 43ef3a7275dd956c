import { mapLimits } from '../../../packages/engines/src/maps/limits.ts'
import { bytes, count, type LimitGroup, threeSteps, unmeasured } from './limit.ts'

const file = 'e2e/src/attacks/limits/maps.test.ts'
const isLarge = 'The task fails with `limit_exceeded`. Split the map.'

/** Limits of maps. */
export const maps: LimitGroup = {
  title: 'Maps',
  limits: [
    {
      id: 'L-map-bytes',
      name: 'Size of a map',
      value: bytes(mapLimits.bytes),
      beyond: isLarge,
      tests: threeSteps(file, 'bytes of a map, 256 MiB'),
      real: unmeasured.data,
    },
    {
      id: 'L-map-unpacked',
      name: 'Unpacked size of a zipped shapefile',
      value: bytes(mapLimits.unpacked),
      beyond: isLarge,
      tests: threeSteps(file, 'unpacked bytes of a shapefile, 1 GiB'),
      real: unmeasured.data,
    },
    {
      id: 'L-map-features',
      name: 'Features of a map: places, ways and areas',
      value: count(mapLimits.features),
      beyond: isLarge,
      tests: threeSteps(file, 'features of a map, 1,000,000'),
      real: unmeasured.data,
    },
    {
      id: 'L-map-layers',
      name: 'Layers of a map',
      value: count(mapLimits.layers),
      beyond: isLarge,
      tests: [...threeSteps(file, 'layers of a map, 200'), ...threeSteps(file, 'layers of a zipped shapefile, 200')],
      real: unmeasured.data,
    },
  ],
}
