import { Type } from '../../kernel/type.ts'
import { endOfList } from './product-child.rules.ts'

export const OrderInput = Type.Integer({
  minimum: 0,
  maximum: endOfList,
  description: 'The place among the others, from 0: they make room. Past the end is the end.',
  examples: [0],
})

export const OrderAnswer = Type.Integer({ description: 'Counts from 0.', examples: [0] })
