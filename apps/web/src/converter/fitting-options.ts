import { queries } from '../app/queries.ts'
import type { Order } from './create-job.ts'
import { fitOptions } from './option-rules.ts'
import { optionsQuery } from './queries.ts'

/** The order with the options its own pair of formats knows: those of a kind may be meant for others of it. */
export async function withFittingOptions(order: Order): Promise<Order> {
  const { item, target, options } = order
  if (Object.keys(options).length === 0 || item.source === '') return order
  return { ...order, options: fitOptions(await queries.fetchQuery(optionsQuery(item.source, target)), options) }
}
