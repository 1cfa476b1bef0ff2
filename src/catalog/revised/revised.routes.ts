import type { TSchema } from 'typebox'
import { admin } from '../../http/access/access.ts'
import { created, noContent, ok } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { type Page, type PageRequest, toPagination } from '../../kernel/paging.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { PageQuery, PaginationSchema, StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Place } from './revised.store.ts'

type Known = { id: string; revision: number }
type Sending<Sent> = { sent: Sent; ifMatch: string | undefined }

/** The five routes of one kind of record under `/admin/products/:productId`. */
export type RecordRoutes<Line extends Known, Whole extends Known, New, Sent> = {
  /** As in the path, the body (`{docSection}`, `{docSections}`) and the operation's name (`createDocSection`). */
  words: {
    path: string
    one: string
    many: string
    operation: string
    operations: string
    title: string
    titles?: string
  }
  schemas: { new: TSchema; change: TSchema; line: TSchema; whole: TSchema }
  descriptions?: { create?: string; update?: string; remove?: string }
  refusals: RefusalCode[]
  bodyBytesMax?: number
  service: {
    list(platform: PlatformScope, productId: string, page: PageRequest): Promise<Page<Line>>
    get(platform: PlatformScope, place: Place): Promise<Whole>
    create(platform: PlatformScope, productId: string, sent: New): Promise<Whole>
    update(platform: PlatformScope, place: Place, sending: Sending<Sent>): Promise<Whole>
    remove(platform: PlatformScope, place: Place, ifMatch: string | undefined): Promise<void>
  }
  lineOf(platform: PlatformScope, lines: Line[]): Promise<unknown[]>
  wholeOf(platform: PlatformScope, whole: Whole): Promise<unknown>
}

const tag = 'Catalog administration'

export const changeDescription = 'What is absent is kept, null clears. `order` moves it: the others make room.'

export function recordRoutes<Line extends Known, Whole extends Known, New, Sent>(
  kind: RecordRoutes<Line, Whole, New, Sent>,
): Route[] {
  return [...reading(kind), ...writing(kind), removing(kind)]
}

function reading<Line extends Known, Whole extends Known, New, Sent>(
  kind: RecordRoutes<Line, Whole, New, Sent>,
): Route[] {
  const { words, schemas, service } = kind
  const path = `/admin/products/:productId/${words.path}` as const
  return [
    route({
      method: 'GET',
      path,
      name: `list${words.operations}`,
      tag,
      summary: `List the ${words.titles ?? `${words.title}s`} of a product`,
      access: admin('VIEWER'),
      query: StrictObject({ ...PageQuery }),
      answers: { 200: StrictObject({ [words.many]: Type.Array(schemas.line), pagination: PaginationSchema }) },
      handle: async ({ platform, params, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await service.list(platform, params.productId, { page, limit })
        const lines = await kind.lineOf(platform, items)
        return ok({ [words.many]: lines, pagination: toPagination({ page, limit }, total) } as never)
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:id`,
      name: `get${words.operation}`,
      tag,
      summary: `Get a ${words.title} of a product`,
      access: admin('VIEWER'),
      answers: { 200: StrictObject({ [words.one]: schemas.whole }) },
      handle: async ({ platform, params }) =>
        shown(kind, { platform, whole: await service.get(platform, { productId: params.productId, id: params.id }) }),
    }),
  ]
}

function writing<Line extends Known, Whole extends Known, New, Sent>(
  kind: RecordRoutes<Line, Whole, New, Sent>,
): Route[] {
  const { words, schemas, service, refusals, descriptions = {} } = kind
  const path = `/admin/products/:productId/${words.path}` as const
  const answer = StrictObject({ [words.one]: schemas.whole })
  const size = kind.bodyBytesMax === undefined ? {} : { bodyBytesMax: kind.bodyBytesMax }
  return [
    route({
      method: 'POST',
      path,
      name: `create${words.operation}`,
      tag,
      summary: `Add a ${words.title} to a product`,
      ...(descriptions.create === undefined ? {} : { description: descriptions.create }),
      access: admin('EDITOR'),
      body: schemas.new,
      answers: { 201: answer },
      refusals,
      idempotent: true,
      ...size,
      handle: async ({ platform, params: { productId }, body }) => {
        const whole = await service.create(platform, productId, body as New)
        const { headers, body: made } = await shown(kind, { platform, whole })
        const place = created(`/admin/products/${productId}/${words.path}/${whole.id}`, made)
        return { ...place, headers: { ...headers, ...place.headers } }
      },
    }),
    route({
      method: 'PATCH',
      path: `${path}/:id`,
      name: `update${words.operation}`,
      tag,
      summary: `Change a ${words.title} of a product`,
      ...(descriptions.update === undefined ? {} : { description: descriptions.update }),
      access: admin('EDITOR'),
      body: schemas.change,
      answers: { 200: answer },
      refusals,
      conditional: true,
      ...size,
      handle: async ({ platform, params: { productId, id }, body, headers }) => {
        const sending = { sent: body as Sent, ifMatch: headers['if-match'] }
        return shown(kind, { platform, whole: await service.update(platform, { productId, id }, sending) })
      },
    }),
  ]
}

function removing<Line extends Known, Whole extends Known, New, Sent>({
  words,
  service,
  descriptions = {},
}: RecordRoutes<Line, Whole, New, Sent>): Route {
  return route({
    method: 'DELETE',
    path: `/admin/products/:productId/${words.path}/:id`,
    name: `delete${words.operation}`,
    tag,
    summary: `Remove a ${words.title} from a product`,
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

async function shown<Line extends Known, Whole extends Known, New, Sent>(
  { words, wholeOf }: RecordRoutes<Line, Whole, New, Sent>,
  { platform, whole }: { platform: PlatformScope; whole: Whole },
) {
  const body = { [words.one]: await wholeOf(platform, whole) } as never
  return { ...ok(body), headers: { etag: revisionETag(whole) } }
}
