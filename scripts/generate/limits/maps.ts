import { mapLimits } from '../../../packages/engines/src/maps/limits.ts'
import { bytes, count, type LimitGroup, unmeasured } from './limit.ts'

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
      real: unmeasured.data,
    },
    {
      id: 'L-map-unpacked',
      name: 'Unpacked size of a zipped shapefile',
      value: bytes(mapLimits.unpacked),
      beyond: isLarge,
      real: unmeasured.data,
    },
    {
      id: 'L-map-features',
      name: 'Features of a map: places, ways and areas',
      value: count(mapLimits.features),
      beyond: isLarge,
      real: unmeasured.data,
    },
    {
      id: 'L-map-layers',
      name: 'Layers of a map',
      value: count(mapLimits.layers),
      beyond: isLarge,
      real: unmeasured.data,
    },
  ],
}
