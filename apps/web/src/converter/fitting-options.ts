import { queries } from '../app/queries.ts'
import type { Order } from './create-job.ts'
import { fitOptions } from './option-rules.ts'
import { optionsQuery } from './queries.ts'

/**
 * The order with only the options that its pair of formats supports: options of a kind may be meant for other formats.
 */
export async function withFittingOptions(order: Order): Promise<Order> {
  const { item, target, options } = order
  if (Object.keys(options).length === 0 || item.source === '') return order
  return { ...order, options: fitOptions(await queries.fetchQuery(optionsQuery(item.source, target)), options) }
}
