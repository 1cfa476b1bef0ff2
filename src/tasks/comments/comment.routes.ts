import { created, noContent, ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { taskAccess as access, base, tag } from '../access.ts'
import { CommentBody, CommentDetail, CommentList, CommentQuery, commentView } from './comment.schema.ts'
import type { Comments } from './comment.service.ts'

type Deps = { comments: Comments; members: OrganizationMembers }

const path = `${base}/:taskId/comments`

export function commentRoutes(deps: Deps): Route[] {
  return [listRoute(deps), createRoute(deps), updateRoute(deps), deleteRoute(deps)]
}

function listRoute({ comments }: Deps): Route {
  return route({
    method: 'GET',
    path,
    name: 'listOrgTaskComments',
    tag,
    summary: 'List the comments on a task',
    description: 'In the order in which they were written.',
    access,
    query: CommentQuery,
    answers: { 200: CommentList },
    handle: async ({ scope, user, params: { orgId, taskId }, query: { page = 1, limit = 20 } }) => {
      const { items, total } = await comments.list(scope, { user, orgId, taskId }, { page, limit })
      return ok({ comments: items.map(commentView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function createRoute({ comments, members }: Deps): Route {
  return route({
    method: 'POST',
    path,
    name: 'createOrgTaskComment',
    tag,
    summary: 'Comment on a task',
    description: 'For members, admins and owners. A proposal has no comments until it is accepted.',
    access,
    body: CommentBody,
    answers: { 201: CommentDetail },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'NOT_FOUND'],
    idempotent: true,
    authorizeRepeat: ({ scope, user, params: { orgId } }) => members.get(scope, user, { orgId }),
    handle: async ({ scope, user, params: { orgId, taskId }, body: { text } }) => {
      const comment = await comments.create(scope, { user, orgId, taskId }, text)
      const location = `${path.replace(':orgId', orgId).replace(':taskId', taskId)}/${comment.id}`
      return withETag({ ...created(location, { comment: commentView(comment) }), subjectId: taskId }, comment)
    },
  })
}

function updateRoute({ comments }: Deps): Route {
  return route({
    method: 'PATCH',
    path: `${path}/:commentId`,
    name: 'updateOrgTaskComment',
    tag,
    summary: 'Change a comment',
    description: 'For its author.',
    access,
    body: CommentBody,
    answers: { 200: CommentDetail },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId, taskId, commentId: id }, body: { text }, headers }) => {
      const target = { user, orgId, taskId, id, ifMatch: headers['if-match'] }
      const comment = await comments.update(scope, target, text)
      return withETag(ok({ comment: commentView(comment) }), comment)
    },
  })
}

function deleteRoute({ comments }: Deps): Route {
  return route({
    method: 'DELETE',
    path: `${path}/:commentId`,
    name: 'deleteOrgTaskComment',
    tag,
    summary: 'Delete a comment',
    description: 'For its author, and for admins and owners.',
    access,
    answers: { 204: null },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId, taskId, commentId: id }, headers }) => {
      await comments.remove(scope, { user, orgId, taskId, id, ifMatch: headers['if-match'] })
      return noContent()
    },
  })
}
