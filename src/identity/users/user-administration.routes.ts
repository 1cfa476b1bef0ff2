import { admin } from '../../http/access/access.ts'
import { noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { parseEmailFilter } from './user.rules.ts'
import { AdminChange, UserDetail, UserList, UserQuery, userView } from './user.schema.ts'
import { type UserAdministrationDeps, userAdministration } from './user-administration.service.ts'

const tag = 'Administration'

/** The users of all tenants, for administrators. */
export function userAdministrationRoutes(deps: UserAdministrationDeps): Route[] {
  const users = userAdministration(deps)
  return [
    route({
      method: 'GET',
      path: '/admin/users',
      name: 'listUsers',
      tag,
      summary: 'List users',
      description: 'Lists the users of all tenants, newest first.',
      access: admin('VIEWER'),
      query: UserQuery,
      answers: { 200: UserList },
      handle: async ({ platform, query: { page = 1, limit = 20, tenantId = null, email } }) => {
        const filter = email === undefined ? null : parseEmailFilter(email)
        const { items, total } = await users.list(platform, { page, limit, tenantId, email: filter })
        return ok({ users: items.map(userView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/users/:userId',
      name: 'getUser',
      tag,
      summary: 'Get a user',
      access: admin('VIEWER'),
      answers: { 200: UserDetail },
      handle: async ({ platform, params }) => ok({ user: userView(await users.get(platform, params.userId)) }),
    }),
    route({
      method: 'PATCH',
      path: '/admin/users/:userId',
      name: 'updateUser',
      tag,
      summary: 'Update a user',
      description:
        'Changes the name, role or status. Suspending a user ends all its sessions; they do not come back when the user is activated again.',
      access: admin('OWNER'),
      body: AdminChange,
      answers: { 200: UserDetail },
      handle: async ({ platform, params, body }) =>
        ok({ user: userView(await users.update(platform, params.userId, body)) }),
    }),
    route({
      method: 'DELETE',
      path: '/admin/users/:userId',
      name: 'removeUser',
      tag,
      summary: 'Delete a user',
      description: 'Permanently deletes the user with its sessions and devices.',
      access: admin('OWNER'),
      answers: { 204: null },
      handle: async ({ platform, params }) => {
        await users.remove(platform, params.userId)
        return noContent()
      },
    }),
  ]
}
