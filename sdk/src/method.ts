import type { Operations } from './generated/operations.ts'
import type { Pages } from './pages.ts'

export type OperationId = keyof Operations
export type Input<Id extends OperationId> = Operations[Id]['input']
export type Output<Id extends OperationId> = Operations[Id]['output']

export type CallOptions = {
  /** Ends the call; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** For the call with all its retries. */
  timeoutMs?: number
  /** Of a call that may be repeated without being done twice. By default the SDK makes one for each call. */
  idempotencyKey?: string
}

/** The input may be left out if no member of it is required. */
export type Arguments<Id extends OperationId> =
  Record<never, never> extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions]

/** An entry of the list that an operation answers page by page. */
type Entry<Id extends OperationId> = Operations[Id] extends { list: infer Member }
  ? Extract<Output<Id>, object> extends infer Answer
    ? Member extends keyof Answer
      ? Answer[Member] extends Array<infer Item>
        ? Item
        : never
      : never
    : never
  : never

/** One page of a list, as the service answers it. */
type PageAnswer<Id extends OperationId> = Exclude<Output<Id>, string>

export type Method<Id extends OperationId> = Operations[Id] extends { list: string }
  ? (...args: Arguments<Id>) => Pages<Entry<Id>, PageAnswer<Id>>
  : (...args: Arguments<Id>) => Promise<Output<Id>>
