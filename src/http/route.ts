import type { Readable } from 'node:stream'
import type { Static, TProperties, TSchema } from 'typebox'
import type { RefusalCode } from '../kernel/refusal.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Access } from './access/access.ts'
import type { Grant } from './access/grants.ts'
import type { Answer } from './answer.ts'
import type { SocketDeclaration } from './sockets/socket-declaration.ts'
import type { StoredFile } from './stored-file.ts'
import type { UploadFor, UploadForm } from './uploads/upload.ts'

/**
 * An answer that is text or bytes in one of these media types, the first being the default; with `json` also JSON, which
 * then is the default.
 */
export type RawAnswer = { rawTypes: readonly [string, ...string[]]; json?: TSchema; description: string }

/** An answer that is a file of any type: the floor answers conditions and byte ranges of it. */
export type FileAnswer = { file: true; description: string }

/** What a route answers with by status; `null` is an answer without a body. */
export type Answers = Record<number, TSchema | RawAnswer | FileAnswer | null>

type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathParams<Rest>
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
  body: RequestPart<B>
  upload: UploadFor<U>
  /** Of a route with `rawBody`; null for all others. */
  raw: RawBody | null
  /** Only for a route with `longPoll`: aborted when the client disconnects. Otherwise null. */
  signal: AbortSignal | null
  /** Header values by lower-case name, for content negotiation. */
  headers: Record<string, string | undefined>
}

/** A body that a route reads by itself. */
export type RawBody = {
  /** Lower case, without parameters; empty where there is no body and nothing was said of one. */
  contentType: string
  bytes: Buffer
  /** As they came, by lower-case name: one that came more than once is a list, whichever it is. */
  headers: Record<string, string | string[] | undefined>
}

/** How much of a body is read. A body that is not kept is counted and thrown away, so that its answer does not differ. */
export type BodyLimit = { bytesMax: number; isKept: boolean }

export type BodyLimitRequest = {
  platform: PlatformScope
  params: Record<string, string>
  query: Record<string, unknown>
}

/** A limit of a route's own in place of its caller's: of each thing that is named, whoever calls. */
export type ResourceLimit = {
  requestsMax: number
  /**
   * The bucket that a request names before its body is read; null where only its body does. The gate lets nothing
   * through to a full one. To count is for the use case: it knows whether the thing exists, so that made-up names open
   * no buckets.
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
  /** Takes multipart/form-data in place of a JSON body, streamed: nothing of it is read before the caller is admitted. */
  upload?: U
  /** Takes a body as it is in place of JSON, of a media type that has an example here; one is required. Its handler gets it as `raw`. */
  rawBody?: {
    examples: Record<string, unknown>
    bytesMax: number
    isOptional?: true
    /** The limit for this request if its body is large or has no Content-Length. Called before the body is read. */
    bodyLimitFor?: (asked: BodyLimitRequest) => Promise<BodyLimit>
  }
  answers: R
  /** The refusals of the use case itself; those of access, validation and limits are added by the floor. */
  refusals?: RefusalCode[]
  /** Accepts `Idempotency-Key`: the whole request then runs in one transaction with the record of its answer. */
  idempotent?: true
  /** Takes `If-Match`: the use case refuses with PRECONDITION_FAILED (`requireRevision`). */
  conditional?: true
  /** May delay its answer until something changes. It gets a `signal` and is not logged as slow. */
  longPoll?: true
  /** `none` only for probes: such a route is neither counted nor refused. */
  limit?: 'none' | ResourceLimit
  /**
   * A public read: prepared bytes, strong ETag, `Cache-Control`, 304 on `If-None-Match`. Its answer depends on the path,
   * the declared query and the media type alone, and changes only in transactions that call `PublicChanged`.
   * `isConstant`: it changes with the program alone. `uncachedParams`: query parameters in which anybody may say anything; an
   * answer to one is made each time, so that nobody can push the answers of others out of memory.
   */
  cache?: { maxAgeSeconds: number; isConstant?: true; uncachedParams?: string[] }
  /** Of a route that `socket()` declared: asked to change protocols it speaks in frames, and answers nothing else. */
  socket?: SocketDeclaration
  /** Largest body in bytes; 256 KiB unless stated. */
  bodyBytesMax?: number
  /** Slow work without effect, such as a hash: done before the transaction of an idempotent request, and again for a repeat. */
  prepare?: (input: RouteInput<Path, A, Q, B, U>) => Promise<P>
  handle(input: RouteInput<Path, A, Q, B, U> & { prepared: P }): Promise<DeclaredAnswer<R>>
}

/** A declared route as the server and the API reference see it. Only `route()` makes one. */
export type Route = Omit<
  Declaration<string, Access, TSchema | undefined, TSchema | undefined, Answers, unknown, UploadForm | undefined>,
  'handle' | 'prepare'
> & {
  prepare?: (input: Record<string, unknown>) => Promise<unknown>
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

/** Whether `route()` made this: the server refuses to start with any other. */
export function isDeclared(candidate: unknown): candidate is Route {
  return typeof candidate === 'object' && candidate !== null && declared.has(candidate)
}

/** The same operation at another address. For `mount`. */
export function copyRoute(
  original: Route,
  changes: Pick<Route, 'path' | 'name' | 'access' | 'handle'> & Partial<Pick<Route, 'prepare'>>,
): Route {
  const copy = { ...original, ...changes }
  declared.add(copy)
  return copy
}

/** The schema of an answer where it is JSON, or can be. */
export function jsonSchema(answer: Answers[number]): TSchema | null {
  if (answer === null || isFile(answer)) return null
  return isRaw(answer) ? (answer.json ?? null) : answer
}

/** The media types of an answer as text or bytes. */
export function rawMediaTypes(answer: Answers[number]): readonly string[] {
  if (answer !== null && isFile(answer)) return ['*/*']
  return answer !== null && isRaw(answer) ? answer.rawTypes : []
}

/** What an answer says of itself to the reader of the API reference, where it does. */
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

/** Whether a request without a body is refused: where no member is required, no body says the same as `{}`. */
export function isBodyRequired({ body }: Pick<Route, 'body'>): boolean {
  return ((body as { required?: string[] } | undefined)?.required ?? []).length > 0
}

/** What a path looks like when it is asked for. */
export function pathPattern({ path, wildcard }: Pick<Route, 'path' | 'wildcard'>): RegExp {
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const named = wildcard ? literal.replace(/:\w+$/, '.+') : literal
  return new RegExp(`^${named.replace(/:\w+/g, '[^/]+')}$`)
}

/** The names of a path's parameters, in order. */
export function pathParamNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
}
