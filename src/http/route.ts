import type { Readable } from 'node:stream'
import type { Static, TProperties, TSchema } from 'typebox'
import type { FieldRule, Fitting } from '../kernel/field-rules.ts'
import type { CountedCaller, RefusalCode } from '../kernel/refusal.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Access } from './access/access.ts'
import type { Grant } from './access/grants.ts'
import type { Answer } from './answer.ts'
import type { SocketDeclaration } from './sockets/socket-declaration.ts'
import type { StoredFile } from './stored-file.ts'
import type { UploadFor, UploadForm } from './uploads/upload.ts'

/**
 * An answer of text or bytes in one of these media types; the first is the default. With `json` it can also be JSON, which is
 * then the default.
 */
export type RawAnswer = { rawTypes: readonly [string, ...string[]]; json?: TSchema; description: string }

/** An answer with a file of any type. The HTTP layer handles conditions and byte ranges. */
export type FileAnswer = { file: true; description: string }

/** A route's answers by status; `null` means no body. */
export type Answers = Record<number, TSchema | RawAnswer | FileAnswer | null>

type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathParams<Rest>
  : Path extends `${string}:${infer Name}.${string}`
    ? { [K in Name]: string }
    : Path extends `${string}:${infer Name}`
      ? { [K in Name]: string }
      : object

type RequestPart<S> = S extends TSchema ? Static<S> : undefined
type Raw = string | Buffer | Readable
type AnswerBody<S> = S extends { rawTypes: readonly string[]; json: infer J extends TSchema }
  ? Static<J> | Raw
  : S extends FileAnswer
    ? StoredFile
    : S extends RawAnswer
      ? Raw
      : S extends TSchema
        ? Static<S>
        : null
type DeclaredAnswer<R extends Answers> = { [K in keyof R & number]: Answer<K, AnswerBody<R[K]>> }[keyof R & number]

export type RouteInput<Path extends string, A extends Access, Q, B, U = undefined> = Grant<A> & {
  params: PathParams<Path>
  query: RequestPart<Q>
  body: U extends UploadForm ? RequestPart<B> | undefined : RequestPart<B>
  /** Undefined for JSON, of a route that takes both. */
  upload: B extends TSchema ? UploadFor<U> | undefined : UploadFor<U>
  /** Set for a route with `rawBody`; otherwise null. */
  raw: RawBody | null
  /** Only for a route with `longPoll`: aborted when the client disconnects. Otherwise null. */
  signal: AbortSignal | null
  /** Only for a route with `usesOrigin`: the scheme and host that the caller used. Otherwise null. */
  origin: string | null
  /** Header values by lower-case name, for content negotiation. */
  headers: Record<string, string | undefined>
}

/** What the rules of a route get: the parts of a request that is refused, as far as they fit their schemas. */
export type RulesInput<Path extends string, A extends Access, Q, B> = Grant<A> & {
  params: PathParams<Path>
  query: FittingPart<Q>
  body: FittingPart<B>
  headers: Record<string, string | undefined>
}
type FittingPart<S> = S extends TSchema ? Fitting<Static<S>> : object

/** A body that the route parses itself. */
export type RawBody = {
  /** Lower case, without parameters; empty if there is none. */
  contentType: string
  bytes: Buffer
  /** Headers by lower-case name; a repeated header is a list. */
  headers: Record<string, string | string[] | undefined>
}

/** How much of a body is read. A body that is not kept is still counted, so that the answer does not differ. */
export type BodyLimit = { bytesMax: number; isKept: boolean }

export type BodyLimitRequest = {
  platform: PlatformScope
  params: Record<string, string>
  query: Record<string, unknown>
}

/** A rate limit per named object instead of per caller. */
export type ResourceLimit = {
  requestsMax: number
  /** Whom the limit counts, for the refusal. */
  counted: CountedCaller
  /** What it counts, in the plural. */
  what: string
  /**
   * The bucket that a request names before its body is read; null if only the body names it. The gate refuses requests to
   * a full bucket. The use case counts, because it knows whether the object exists: invented names must create no buckets.
   */
  bucketOf(asked: { params: Record<string, string>; query: Record<string, unknown> }): string | null
}

type Declaration<Path extends string, A extends Access, Q, B, R extends Answers, P = undefined, U = undefined> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: Path
  /** The operation's name in the API reference and in generated clients. */
  name: string
  tag: string
  summary: string
  description?: string
  access: A
  params?: TProperties
  /** The last parameter matches the rest of the path, including slashes. */
  wildcard?: true
  query?: Q
  body?: B
  /**
   * Takes multipart/form-data instead of JSON, as a stream; with a `body` either of both. Nothing is read before the caller is
   * admitted.
   */
  upload?: U
  /** Takes a raw body instead of JSON, in one of the media types with an example here. The handler gets it as `raw`. */
  rawBody?: {
    examples: Record<string, unknown>
    bytesMax: number
    isOptional?: true
    /** The limit for this request if its body is large or has no Content-Length. Called before the body is read. */
    bodyLimitFor?: (asked: BodyLimitRequest) => Promise<BodyLimit>
  }
  answers: R
  /** The refusals of the use case. Those of access, validation and limits are added automatically. */
  refusals?: RefusalCode[]
  /** Accepts `Idempotency-Key`: the request then runs in one transaction with its stored answer. Not for a form. */
  idempotent?: true
  /**
   * Refuses callers who may no longer see the stored answer of an idempotent request. Called only before an answer is repeated,
   * with the `subjectId` of that answer.
   */
  authorizeRepeat?: (input: RouteInput<Path, A, Q, B, U> & { subjectId: string | null }) => Promise<unknown>
  /** A signed-in browser may do this only shortly after a confirmation. Scripts send a key with each request anyway. */
  isSensitive?: true
  /** The handler gets the service's `origin`, to make a link to itself. */
  usesOrigin?: true
  /** Takes `If-Match`: the use case refuses with PRECONDITION_FAILED (`requireRevision`). */
  conditional?: true
  /** May delay its answer until something changes. It gets a `signal` and is not logged as slow. */
  longPoll?: true
  /** `none` only for probes: such a route is neither counted nor refused. */
  limit?: 'none' | ResourceLimit
  /**
   * A public read: cached bytes, strong ETag, `Cache-Control`, 304 on `If-None-Match`. Its answer depends only on the path,
   * the declared query and the media type, and changes only in transactions that call `PublicChanged`. `isConstant`: it only
   * changes with the program. `uncachedParams`: query parameters with free text; answers to them are not cached, so that
   * nobody can push other answers out of memory.
   */
  cache?: { maxAgeSeconds: number; isConstant?: true; uncachedParams?: string[] }
  /** Set for a route declared by `socket()`, which only accepts WebSocket upgrades. */
  socket?: SocketDeclaration
  /** Largest body in bytes. Default: 256 KiB. */
  bodyBytesMax?: number
  /** The most members and elements that a JSON body may have in total. Default: 20,000. */
  bodyMembersMax?: number
  /** Slow work without effects, such as hashing. It runs before the transaction of an idempotent request, also for a repeat. */
  prepare?: (input: RouteInput<Path, A, Q, B, U>) => Promise<P>
  /**
   * Rules that the schemas cannot express. They run only for a request that is refused because of a field, so that the
   * answer names every wrong one; the use case enforces them.
   */
  rules?: (input: RulesInput<Path, A, Q, B>) => FieldRule[]
  handle(input: RouteInput<Path, A, Q, B, U> & { prepared: P }): Promise<DeclaredAnswer<R>>
}

/** A declared route as the server and the API reference see it. Only `route()` makes one. */
export type Route = Omit<
  Declaration<string, Access, TSchema | undefined, TSchema | undefined, Answers, unknown, UploadForm | undefined>,
  'handle' | 'prepare' | 'rules' | 'authorizeRepeat'
> & {
  /** The name of the route that the API reference describes instead of this one. Set by `mount`. */
  aliasOf?: string
  prepare?: (input: Record<string, unknown>) => Promise<unknown>
  authorizeRepeat?: (input: Record<string, unknown>) => Promise<unknown>
  rules?: (input: Record<string, unknown>) => FieldRule[] | Promise<FieldRule[]>
  handle(input: Record<string, unknown>): Promise<Answer>
}

const declared = new WeakSet<object>()

/** Declares a route. The access rule is a required member, and its kind decides what the handler is given. */
export function route<
  const Path extends string,
  A extends Access,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  const R extends Answers = Answers,
  P = undefined,
  U extends UploadForm | undefined = undefined,
>(declaration: Declaration<Path, A, Q, B, R, P, U>): Route {
  const made = declaration as unknown as Route
  declared.add(made)
  return made
}

/** Whether `route()` made this. The server does not start with any other route. */
export function isDeclared(candidate: unknown): candidate is Route {
  return typeof candidate === 'object' && candidate !== null && declared.has(candidate)
}

/** The same operation at another address. For `mount`. */
export function copyRoute(
  original: Route,
  changes: Pick<Route, 'path' | 'name' | 'summary' | 'access' | 'handle'> &
    Partial<Pick<Route, 'aliasOf' | 'prepare' | 'authorizeRepeat' | 'rules'>>,
): Route {
  const copy = { ...original, ...changes }
  declared.add(copy)
  return copy
}

/** The schema of an answer that is or can be JSON. */
export function jsonSchema(answer: Answers[number]): TSchema | null {
  if (answer === null || isFile(answer)) return null
  return isRaw(answer) ? (answer.json ?? null) : answer
}

/** The media types of a text or binary answer. */
export function rawMediaTypes(answer: Answers[number]): readonly string[] {
  if (answer !== null && isFile(answer)) return ['*/*']
  return answer !== null && isRaw(answer) ? answer.rawTypes : []
}

/** The description of an answer for the API reference, if it has one. */
export function answerDescription(answer: Answers[number]): string | null {
  return answer !== null && (isRaw(answer) || isFile(answer)) ? answer.description : null
}

/** Whether a route answers with a file. */
export function sendsFile({ answers }: Pick<Route, 'answers'>): boolean {
  return Object.values(answers).some((answer) => answer !== null && isFile(answer))
}

function isFile(answer: TSchema | RawAnswer | FileAnswer): answer is FileAnswer {
  return 'file' in answer
}

function isRaw(answer: TSchema | RawAnswer | FileAnswer): answer is RawAnswer {
  return 'rawTypes' in answer
}

/** Whether a body is required. If no member is required, no body means the same as `{}`. */
export function isBodyRequired({ body }: Pick<Route, 'body'>): boolean {
  return ((body as { required?: string[] } | undefined)?.required ?? []).length > 0
}

/** A pattern that matches requested paths of the route. */
export function pathPattern({ path, wildcard }: Pick<Route, 'path' | 'wildcard'>): RegExp {
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const named = wildcard ? literal.replace(/:\w+$/, '.+') : literal
  return new RegExp(`^${named.replace(/:\w+/g, '[^/]+')}$`)
}

/** The names of a path's parameters, in order. */
export function pathParamNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
}
