import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

test('the builders give the JSON Schema that TypeBox gives', () => {
  const build = (T: typeof Type) => {
    const item = T.Object(
      { a: T.String({ minLength: 1 }), b: T.Optional(T.Integer({ maximum: 3 })) },
      { additionalProperties: false },
    )
    return [
      item,
      T.Partial(item, { description: 'x' }),
      T.Object({}),
      T.Array(item, { minItems: 1 }),
      T.Object({ c: T.Optional(T.Boolean()) }),
      T.Object({ n: T.Number(), u: T.Unsafe({ type: ['string', 'null'] }) }),
    ]
  }
  assert.deepEqual(
    JSON.parse(JSON.stringify(build(Type))),
    JSON.parse(JSON.stringify(build(TypeBox as unknown as typeof Type))),
  )
})
