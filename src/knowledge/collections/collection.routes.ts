import { created, noContent, ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { PageQuery, StrictObject } from '../../kernel/schemas.ts'
import { knowledgeAccess as access, orgBase } from '../access.ts'
import type { Collection } from './collection.rules.ts'
import {
  CollectionDeletion,
  CollectionDetail,
  CollectionList,
  CollectionPatch,
  CollectionQuery,
  changeView,
  collectionView,
  HistoryList,
  MemberBody,
  NewCollection,
} from './collection.schema.ts'
import type { Collections } from './collection.service.ts'
import type { CollectionMembers } from './collection-member.service.ts'

type Deps = { collections: Collections; members: CollectionMembers }

const tag = 'Collections'
const base = `${orgBase}/collections` as const
const one = `${base}/:collectionId` as const

export function collectionRoutes(deps: Deps): Route[] {
  return [
    listRoute(deps),
    createRoute(deps),
    getRoute(deps),
    updateRoute(deps),
    deleteRoute(deps),
    ...memberRoutes(deps),
    historyRoute(deps),
  ]
}

function listRoute({ collections }: Deps): Route {
  return route({
    method: 'GET',
    path: base,
    name: 'listCollections',
    tag,
    summary: 'List the collections of an organization',
    description: 'Those that you may read, by name.',
    access,
    query: CollectionQuery,
    answers: { 200: CollectionList },
    refusals: ['INSUFFICIENT_ROLE'],
    handle: async ({ scope, user, params: { orgId }, query: { page = 1, limit = 20, scope: which = 'own' } }) => {
      const { items, total } = await collections.list(scope, { user, orgId, page, limit, all: which === 'all' })
      return ok({ collections: items.map(collectionView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function createRoute({ collections }: Deps): Route {
  return route({
    method: 'POST',
    path: base,
    name: 'createCollection',
    tag,
    summary: 'Create a collection',
    description:
      'For admins and owners. You get `write` in it. An organization has at most 200 collections; "General" exists from the start.',
    access,
    body: NewCollection,
    answers: { 201: CollectionDetail },
    refusals: ['INSUFFICIENT_ROLE', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    authorizeRepeat: ({ scope, user, params: { orgId }, subjectId }) =>
      collections.get(scope, { user, orgId, id: subjectId ?? '' }),
    handle: async ({ scope, user, params: { orgId }, body }) => {
      const collection = await collections.create(scope, { user, orgId }, body)
      const location = `${base.replace(':orgId', orgId)}/${collection.id}`
      return withETag({ ...created(location, detail(collection)), subjectId: collection.id }, collection)
    },
  })
}

function getRoute({ collections }: Deps): Route {
  return route({
    method: 'GET',
    path: one,
    name: 'getCollection',
    tag,
    summary: 'Get a collection',
    access,
    answers: { 200: CollectionDetail },
    handle: async ({ scope, user, params: { orgId, collectionId: id } }) => {
      const collection = await collections.get(scope, { user, orgId, id })
      return withETag(ok(detail(collection)), collection)
    },
  })
}

function updateRoute({ collections }: Deps): Route {
  return route({
    method: 'PATCH',
    path: one,
    name: 'updateCollection',
    tag,
    summary: 'Rename, open or restrict a collection',
    description:
      'An open one: for admins and owners; who restricts it gets `write` in it. A restricted one: for those who have `write`.',
    access,
    body: CollectionPatch,
    answers: { 200: CollectionDetail },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId, collectionId: id }, body, headers }) => {
      const collection = await collections.update(scope, { user, orgId, id, ifMatch: headers['if-match'] }, body)
      return withETag(ok(detail(collection)), collection)
    },
  })
}

function deleteRoute({ collections }: Deps): Route {
  return route({
    method: 'DELETE',
    path: one,
    name: 'deleteCollection',
    tag,
    summary: 'Delete a collection',
    description:
      'For those who may change it. A collection with documents needs `documents=erase`, which erases them with all their versions.',
    access,
    query: CollectionDeletion,
    answers: { 204: null },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId, collectionId: id }, query, headers }) => {
      const target = { user, orgId, id, ifMatch: headers['if-match'] }
      await collections.remove(scope, target, { erase: query.documents === 'erase' })
      return noContent()
    },
  })
}

function memberRoutes({ members }: Deps): Route[] {
  return [
    route({
      method: 'PUT',
      path: `${one}/members/:userId`,
      name: 'setCollectionMember',
      tag,
      summary: 'Give a member access to a collection',
      description:
        'For those who may change the collection. Owners of the organization can add themselves to any collection; its history shows that.',
      access,
      body: MemberBody,
      answers: { 200: CollectionDetail },
      refusals: ['INSUFFICIENT_ROLE', 'QUOTA_EXCEEDED'],
      conditional: true,
      handle: async ({ scope, user, params: { orgId, collectionId: id, userId }, body, headers }) => {
        const target = { user, orgId, id, ifMatch: headers['if-match'] }
        const collection = await members.set(scope, target, { userId, access: body.access })
        return withETag(ok(detail(collection)), collection)
      },
    }),
    route({
      method: 'DELETE',
      path: `${one}/members/:userId`,
      name: 'removeCollectionMember',
      tag,
      summary: 'Remove a member from a collection',
      description: 'For those who may change the collection, and for the member.',
      access,
      answers: { 204: null },
      refusals: ['INSUFFICIENT_ROLE'],
      conditional: true,
      handle: async ({ scope, user, params: { orgId, collectionId: id, userId }, headers }) => {
        await members.remove(scope, { user, orgId, id, ifMatch: headers['if-match'] }, userId)
        return noContent()
      },
    }),
  ]
}

function historyRoute({ collections }: Deps): Route {
  return route({
    method: 'GET',
    path: `${one}/history`,
    name: 'listCollectionHistory',
    tag,
    summary: 'List the changes of a collection',
    description:
      'Newest first: who changed its fields or the access of members. Changes of documents are not included.',
    access,
    query: StrictObject({ ...PageQuery }),
    answers: { 200: HistoryList },
    handle: async ({ scope, user, params: { orgId, collectionId: id }, query: { page = 1, limit = 20 } }) => {
      const { items, total } = await collections.history(scope, { user, orgId, id }, { page, limit })
      return ok({ history: items.map(changeView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function detail(collection: Collection) {
  return { collection: collectionView(collection) }
}
