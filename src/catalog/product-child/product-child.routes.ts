import type { TSchema } from 'typebox'
import { admin } from '../../http/access/access.ts'
import { created, noContent, ok } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import type { FieldRule, Fitting } from '../../kernel/field-rules.ts'
import { type Page, type PageRequest, toPagination } from '../../kernel/paging.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { PageQuery, PaginationSchema, StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { ProductChildKey } from './product-child.rules.ts'

type Revised = { id: string; revision: number }
type SentChange<Change> = { sent: Change; ifMatch: string | undefined }

/** The five routes of one kind of children under `/admin/products/:productId`. */
export type ProductChildRoutes<Line extends Revised, Child extends Revised, New, Change> = {
  names: {
    /** The last segment of the collection's path. */
    path: string
    /** The member of an answer that holds one child, and the member that holds a list. */
    one: string
    many: string
    /** Suffixes of the operation ids: `createDocSection`, `listDocSections`. */
    operation: string
    operations: string
    /** In summaries; `titles` is `title` with an s unless given. */
    title: string
    titles?: string
  }
  schemas: { new: TSchema; change: TSchema; line: TSchema; child: TSchema }
  descriptions?: { create?: string; update?: string; remove?: string }
  refusals: RefusalCode[]
  bodyBytesMax?: number
  service: {
    list(platform: PlatformScope, productId: string, page: PageRequest): Promise<Page<Line>>
    get(platform: PlatformScope, key: ProductChildKey): Promise<Child>
    rules(platform: PlatformScope, productId: string, asked: { sent: Fitting<Change>; isNew: boolean }): FieldRule[]
    create(platform: PlatformScope, productId: string, sent: New): Promise<Child>
    update(platform: PlatformScope, key: ProductChildKey, change: SentChange<Change>): Promise<Child>
    remove(platform: PlatformScope, key: ProductChildKey, ifMatch: string | undefined): Promise<void>
  }
  /** The views of a list, in its order. */
  lineViews(platform: PlatformScope, lines: Line[]): Promise<unknown[]>
  view(platform: PlatformScope, child: Child): Promise<unknown>
}

const tag = 'Catalog administration'

export const orderedChangeDescription =
  'Absent members keep their value and null clears one. `order` moves it to that position.'

export function productChildRoutes<Line extends Revised, Child extends Revised, New, Change>(
  kind: ProductChildRoutes<Line, Child, New, Change>,
): Route[] {
  return [...readRoutes(kind), ...writeRoutes(kind), deleteRoute(kind)]
}

function readRoutes<Line extends Revised, Child extends Revised, New, Change>(
  kind: ProductChildRoutes<Line, Child, New, Change>,
): Route[] {
  const { names, schemas, service } = kind
  const path = `/admin/products/:productId/${names.path}` as const
  return [
    route({
      method: 'GET',
      path,
      name: `list${names.operations}`,
      tag,
      summary: `List the ${names.titles ?? `${names.title}s`} of a product`,
      access: admin('VIEWER'),
      query: StrictObject({ ...PageQuery }),
      answers: { 200: StrictObject({ [names.many]: Type.Array(schemas.line), pagination: PaginationSchema }) },
      handle: async ({ platform, params, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await service.list(platform, params.productId, { page, limit })
        const lines = await kind.lineViews(platform, items)
        return ok({ [names.many]: lines, pagination: toPagination({ page, limit }, total) } as never)
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:id`,
      name: `get${names.operation}`,
      tag,
      summary: `Get a ${names.title} of a product`,
      access: admin('VIEWER'),
      answers: { 200: StrictObject({ [names.one]: schemas.child }) },
      handle: async ({ platform, params }) =>
        tagged(kind, { platform, child: await service.get(platform, { productId: params.productId, id: params.id }) }),
    }),
  ]
}

function writeRoutes<Line extends Revised, Child extends Revised, New, Change>(
  kind: ProductChildRoutes<Line, Child, New, Change>,
): Route[] {
  const { names, schemas, service, refusals, descriptions = {} } = kind
  const path = `/admin/products/:productId/${names.path}` as const
  const answer = StrictObject({ [names.one]: schemas.child })
  const size = kind.bodyBytesMax === undefined ? {} : { bodyBytesMax: kind.bodyBytesMax }
  return [
    route({
      method: 'POST',
      path,
      name: `create${names.operation}`,
      tag,
      summary: `Create a ${names.title} of a product`,
      ...(descriptions.create === undefined ? {} : { description: descriptions.create }),
      access: admin('EDITOR'),
      body: schemas.new,
      answers: { 201: answer },
      refusals,
      idempotent: true,
      ...size,
      rules: ({ platform, params: { productId }, body }) =>
        service.rules(platform, productId, { sent: body as Fitting<Change>, isNew: true }),
      handle: async ({ platform, params: { productId }, body }) => {
        const child = await service.create(platform, productId, body as New)
        const { headers, body: shown } = await tagged(kind, { platform, child })
        const location = created(`/admin/products/${productId}/${names.path}/${child.id}`, shown)
        return { ...location, headers: { ...headers, ...location.headers } }
      },
    }),
    route({
      method: 'PATCH',
      path: `${path}/:id`,
      name: `update${names.operation}`,
      tag,
      summary: `Update a ${names.title} of a product`,
      ...(descriptions.update === undefined ? {} : { description: descriptions.update }),
      access: admin('EDITOR'),
      body: schemas.change,
      answers: { 200: answer },
      refusals,
      conditional: true,
      ...size,
      rules: ({ platform, params: { productId }, body }) =>
        service.rules(platform, productId, { sent: body as Fitting<Change>, isNew: false }),
      handle: async ({ platform, params: { productId, id }, body, headers }) => {
        const change = { sent: body as Change, ifMatch: headers['if-match'] }
        return tagged(kind, { platform, child: await service.update(platform, { productId, id }, change) })
      },
    }),
  ]
}

function deleteRoute<Line extends Revised, Child extends Revised, New, Change>({
  names,
  service,
  descriptions = {},
}: ProductChildRoutes<Line, Child, New, Change>): Route {
  return route({
    method: 'DELETE',
    path: `/admin/products/:productId/${names.path}/:id`,
    name: `delete${names.operation}`,
    tag,
    summary: `Delete a ${names.title} of a product`,
    ...(descriptions.remove === undefined ? {} : { description: descriptions.remove }),
    access: admin('EDITOR'),
    answers: { 204: null },
    conditional: true,
    handle: async ({ platform, params: { productId, id }, headers }) => {
      await service.remove(platform, { productId, id }, headers['if-match'])
      return noContent()
    },
  })
}

/** Answers with the revision tag that `If-Match` takes. */
async function tagged<Line extends Revised, Child extends Revised, New, Change>(
  { names, view }: ProductChildRoutes<Line, Child, New, Change>,
  { platform, child }: { platform: PlatformScope; child: Child },
) {
  const body = { [names.one]: await view(platform, child) } as never
  return { ...ok(body), headers: { etag: revisionETag(child) } }
}
