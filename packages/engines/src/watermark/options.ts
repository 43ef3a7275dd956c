import { enumOption, freeTextOption, integerOption, type OptionValues } from '../option-descriptor.ts'
import { colourOption } from '../pictures/colours.ts'

const positions = {
  center: 'Center',
  top_left: 'Top left corner',
  top: 'Top edge',
  top_right: 'Top right corner',
  left: 'Left edge',
  right: 'Right edge',
  bottom_left: 'Bottom left corner',
  bottom: 'Bottom edge',
  bottom_right: 'Bottom right corner',
  tile: 'Repeated across the whole area',
}

function markOptions(color: string) {
  return [
    freeTextOption({ name: 'text', label: 'Text', hint: 'Text to place, unless an image is given as overlay.' }, 200),
    colourOption({ name: 'color', label: 'Color', hint: 'Color of the text.' }, { byDefault: color }),
    enumOption({ name: 'position', label: 'Position', hint: 'Where the watermark is placed.' }, positions, 'center'),
    integerOption(
      { name: 'size', label: 'Size', hint: 'Width of the watermark as a percentage of the page or image.', units: '%' },
      { min: 1, max: 100, byDefault: 50 },
    ),
    integerOption(
      { name: 'opacity', label: 'Opacity', hint: 'Opacity in percent. 100 is fully opaque.', units: '%' },
      { min: 1, max: 100, byDefault: 50 },
    ),
    integerOption(
      { name: 'rotation', label: 'Rotation', hint: 'Rotate the watermark clockwise.', units: 'degrees' },
      { min: -180, max: 180, byDefault: 0 },
    ),
    integerOption(
      {
        name: 'margin',
        label: 'Margin',
        hint: 'Distance from the edges and between repeated watermarks, as a percentage of the shorter side.',
        units: '%',
      },
      { min: 0, max: 40, byDefault: 3 },
    ),
  ]
}

/** The appearance and position of a watermark on an image or a video. */
export const imageMarkOptions = markOptions('white')

export type MarkOptions = OptionValues<(typeof imageMarkOptions)[number]>

/** The same for pages, which are white. */
export const pageMarkOptions = markOptions('gray')
