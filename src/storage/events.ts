import type { Scope } from './scope.ts'

/**
 * What one capability tells the others, in the transaction of the change. Each capability declares its own events in its
 * `index.ts`, by merging into this interface (`declare module '../storage/events.ts'`): so a handler knows what it is
 * given, and this folder knows no capability.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the capabilities fill it
export interface DomainEvents {}

type Handler<Name extends keyof DomainEvents> = (tx: Scope, event: DomainEvents[Name]) => Promise<void>

export type EventBus = {
  on<Name extends keyof DomainEvents>(name: Name, handler: Handler<Name>): void
  /** Runs every handler inside the transaction of `tx`: if one fails, the change that caused it is rolled back with it. */
  emit<Name extends keyof DomainEvents>(tx: Scope, name: Name, event: DomainEvents[Name]): Promise<void>
}

export function eventBus(): EventBus {
  const handlers = new Map<string, Handler<never>[]>()
  return {
    on: (name, handler) => {
      handlers.set(name, [...(handlers.get(name) ?? []), handler])
    },
    emit: async (tx, name, event) => {
      for (const handler of handlers.get(name) ?? []) await (handler as Handler<typeof name>)(tx, event)
    },
  }
}
