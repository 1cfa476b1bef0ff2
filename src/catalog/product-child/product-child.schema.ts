import { Type } from '../../kernel/type.ts'
import { endOfList } from './product-child.rules.ts'

export const OrderInput = Type.Integer({
  minimum: 0,
  maximum: endOfList,
  description: 'The position in the list, from 0. A position past the end means the end.',
  examples: [0],
})

export const OrderAnswer = Type.Integer({ description: 'The position in the list, from 0.', examples: [0] })
