import type { TSchema } from 'typebox'
import { admin } from '../../http/access.ts'
import { created, noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { paginationOf } from '../../kernel/paging.ts'
import { Closed, PageQuery, PaginationAnswer } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Stored } from './record.rules.ts'
import type { RecordService } from './record.service.ts'

export type RecordNoun = {
  /** The member that one of them stands under, and many: also the path. */
  one: string
  many: string
  /** For the names of the operations: `Feature` makes `createProductFeature`. */
  name: string
  /** For sentences: `a feature`, `the features`. */
  a: string
  description?: string
}

type Parts<Terms extends object, Sent extends { order?: number | undefined }> = {
  noun: RecordNoun
  schemas: { fresh: TSchema; change: TSchema; answer: TSchema }
  records: RecordService<Terms, Sent>
  view(scope: PlatformScope, records: Stored<Terms>[]): Promise<object[]>
}

const tag = 'Catalog administration'

/** The administration of one kind of record under `/admin/products/:productId`. */
export function recordRoutes<Terms extends object, Sent extends { order?: number | undefined }>(
  parts: Parts<Terms, Sent>,
): Route[] {
  const { noun, schemas } = parts
  const path = `/admin/products/:productId/${noun.many}` as const
  const place: Place = { path, recordPath: `${path}/:recordId`, detail: Closed({ [noun.one]: schemas.answer }) }
  return [...reading(parts, place), ...changing(parts, place)]
}

type Place = { path: string; recordPath: string; detail: TSchema }
type Params = { productId: string; recordId: string }

function reading<Terms extends object, Sent extends { order?: number | undefined }>(
  { noun, schemas, records, view }: Parts<Terms, Sent>,
  { path, recordPath, detail }: Place,
): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: noun.one === noun.many ? `listProduct${noun.name}` : `listProduct${noun.name}s`,
      tag,
      summary: `List the ${noun.many} of a product`,
      access: admin('VIEWER'),
      query: Closed(PageQuery),
      answers: { 200: Closed({ [noun.many]: Type.Array(schemas.answer), pagination: PaginationAnswer }) },
      handle: async ({ platform, params, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await records.list(platform, (params as Params).productId, { page, limit })
        return ok({ [noun.many]: await view(platform, items), pagination: paginationOf({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: recordPath,
      name: `getProduct${noun.name}`,
      tag,
      summary: `Get ${noun.a} of a product`,
      access: admin('VIEWER'),
      answers: { 200: detail },
      handle: async ({ platform, params }) => {
        const { productId, recordId } = params as Params
        const record = await records.get(platform, { productId, id: recordId })
        return ok({ [noun.one]: (await view(platform, [record]))[0] })
      },
    }),
  ]
}

function changing<Terms extends object, Sent extends { order?: number | undefined }>(
  { noun, schemas, records, view }: Parts<Terms, Sent>,
  { path, recordPath, detail }: Place,
): Route[] {
  const description = noun.description === undefined ? {} : { description: noun.description }
  return [
    route({
      method: 'POST',
      path,
      name: `createProduct${noun.name}`,
      tag,
      summary: `Add ${noun.a} to a product`,
      ...description,
      access: admin('EDITOR'),
      body: schemas.fresh,
      answers: { 201: detail },
      refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ platform, params, body }) => {
        const { productId } = params as Params
        const record = await records.create(platform, productId, body as Sent)
        const place = `/admin/products/${productId}/${noun.many}/${record.id}`
        return created(place, { [noun.one]: (await view(platform, [record]))[0] })
      },
    }),
    route({
      method: 'PATCH',
      path: recordPath,
      name: `updateProduct${noun.name}`,
      tag,
      summary: `Change ${noun.a} of a product, or its place`,
      description: 'What is absent is kept, null clears.',
      access: admin('EDITOR'),
      body: schemas.change,
      answers: { 200: detail },
      refusals: ['SLUG_TAKEN'],
      handle: async ({ platform, params, body }) => {
        const { productId, recordId } = params as Params
        const record = await records.update(platform, { productId, id: recordId }, body as Sent)
        return ok({ [noun.one]: (await view(platform, [record]))[0] })
      },
    }),
    route({
      method: 'DELETE',
      path: recordPath,
      name: `deleteProduct${noun.name}`,
      tag,
      summary: `Remove ${noun.a} from a product`,
      access: admin('EDITOR'),
      answers: { 204: null },
      handle: async ({ platform, params }) => {
        const { productId, recordId } = params as Params
        await records.remove(platform, { productId, id: recordId })
        return noContent()
      },
    }),
  ]
}
