import { notFound } from '../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant, type TenantScope } from '../storage/scope.ts'
import { type Access, admin, browserAdmin } from './access/access.ts'
import type { Answer } from './answer.ts'
import { copyRoute, type Route } from './route.ts'

/** Another address for routes: the same operations with another path and name. */
export type Mount = {
  /**
   * Whether a client may use either path: same body, same answers. The API reference then describes only the declared
   * route, and names this path there.
   */
  isAlias: boolean
  /** The path at this mount. Null: the route is not served here. */
  path(declared: string): string | null
  /** The operation's name here; names are unique in the API. */
  operationName(declared: string): string
  /** The title here, if it is not an alias; titles are unique in the API reference, too. */
  summary?(declared: string): string
  /** The access rule here, if it differs. */
  access?(declared: Route): Access
  /** Converts what this access rule grants into what the handler expects. */
  adaptInput?(input: Record<string, unknown>): Promise<Record<string, unknown>>
  adaptAnswer?(answer: Answer, input: Record<string, unknown>): Answer
}

/** The routes' copies at each mount, without the routes themselves. */
export function mount(routes: Route[], mounts: Mount[]): Route[] {
  return routes.flatMap((declared) => mounts.flatMap((to) => copyAt(declared, to)))
}

/** Under `/v1` or a longer prefix: `getProduct` is `getProductV1` there. */
export function v1Mount(prefix = '/v1'): Mount {
  return { isAlias: true, path: (path) => `${prefix}${path}`, operationName: (name) => `${name}V1` }
}

function copyAt(declared: Route, to: Mount): Route[] {
  const { access, adaptInput, adaptAnswer } = to
  const { handle, prepare, authorizeRepeat, rules } = declared
  const mountedPath = to.path(declared.path)
  if (mountedPath === null) return []
  const adapted = async (input: Record<string, unknown>) => (adaptInput ? adaptInput(input) : input)
  return [
    copyRoute(declared, {
      path: mountedPath,
      name: to.operationName(declared.name),
      summary: to.summary ? to.summary(declared.summary) : declared.summary,
      ...(to.isAlias ? { aliasOf: declared.name } : {}),
      access: access ? access(declared) : declared.access,
      ...(prepare ? { prepare: async (input) => prepare(await adapted(input)) } : {}),
      ...(authorizeRepeat ? { authorizeRepeat: async (input) => authorizeRepeat(await adapted(input)) } : {}),
      ...(rules ? { rules: async (input) => rules(await adapted(input)) } : {}),
      handle: async (input) => {
        const answer = await handle(await adapted(input))
        return adaptAnswer ? adaptAnswer(answer, input) : answer
      },
    }),
  ]
}

const consoleBase = '/console/api'

/**
 * The routes of administrators for the pages of the console, which sign in with a cookie: only the source of the credential
 * differs. The API reference has one sentence about it. Aliases are left out: each route costs time at every start, and pages
 * know the paths of the reference.
 */
export function mountAtConsole(routes: Route[]): Route[] {
  const forAdmins = routes.filter(({ access, aliasOf }) => access.kind === 'admin' && aliasOf === undefined)
  return mount(forAdmins, [consoleMount])
}

const consoleMount: Mount = {
  isAlias: true,
  path: (path) => consoleBase + path,
  operationName: (name) => `${name}AtConsole`,
  access: ({ name, access, isSensitive = false }) => {
    if (access.kind !== 'admin')
      throw new Error(`${name} cannot be mounted at the console: it is not for administrators.`)
    return browserAdmin(access.role, isSensitive)
  },
  adaptAnswer: (answer) => moveLocation(answer, '', consoleBase),
}

export type TenantExists = (scope: PlatformScope, tenantId: string) => Promise<boolean>

/**
 * Serves routes of a tenant's administrators below `base` also to administrators of the platform, below
 * `/admin/tenants/:tenantId` and the last word of `base`. Reading needs VIEWER, changing OWNER.
 */
export function tenantMount(base: string, tenantExists: TenantExists): Mount {
  const noun = base.slice(base.lastIndexOf('/') + 1)
  const mountedBase = `/admin/tenants/:tenantId/${noun}`
  return {
    isAlias: false,
    path: (path) => (path === base || path.startsWith(`${base}/`) ? mountedBase + path.slice(base.length) : null),
    // listWebhookEndpoints -> listTenantWebhookEndpoints
    operationName: (name) => name.replace(/^[a-z]+/, '$&Tenant'),
    summary: (summary) => `${summary} (platform administrators)`,
    access: ({ name, method, access }) => {
      if (access.kind !== 'endUser' || access.role !== 'ADMIN')
        throw new Error(`${name} cannot be mounted for administrators: its handler may expect a user.`)
      return admin(method === 'GET' ? 'VIEWER' : 'OWNER')
    },
    adaptInput: async (input) => ({
      ...input,
      scope: await resolveTenantScope(input['platform'] as PlatformScope, tenantIdParam(input), tenantExists),
    }),
    adaptAnswer: (answer, input) => moveLocation(answer, base, mountedBase.replace(':tenantId', tenantIdParam(input))),
  }
}

/** The answer with a `Location` below `from` changed to the same one below `to`. */
export function moveLocation(answer: Answer, from: string, to: string): Answer {
  const location = answer.headers?.['location']
  if (!location?.startsWith(`${from}/`)) return answer
  return { ...answer, headers: { ...answer.headers, location: to + location.slice(from.length) } }
}

/** The scope of the tenant that an administrator names in the path. Refuses with NOT_FOUND. */
export async function resolveTenantScope(
  platform: PlatformScope,
  tenantId: string,
  tenantExists: TenantExists,
): Promise<TenantScope> {
  if (!(await tenantExists(platform, tenantId))) throw notFound()
  return scopeToTenant(platform, tenantId)
}

function tenantIdParam({ params }: Record<string, unknown>): string {
  return (params as { tenantId: string }).tenantId
}
