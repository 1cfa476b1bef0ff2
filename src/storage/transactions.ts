import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely, RawBuilder } from 'kysely'
import type { Handle } from './handle.ts'

const triesMax = 4

/** Whether the running code lies inside a transaction that is still open. Work that outlives it is outside again. */
const running = new AsyncLocalStorage<{ isOpen: boolean }>()

/** The root handle: each statement on a connection of its own, each transaction on one. */
export function handleOf(db: Kysely<unknown>): Handle {
  const refuseInside = () => {
    if (running.getStore()?.isOpen) {
      // On PGlite, which has one connection, this would wait for ever; so it is an error on every database.
      throw new Error('The outer scope was asked inside a transaction: ask the scope that the transaction was given.')
    }
  }
  return {
    inTransaction: false,
    execute: async (statement) => {
      refuseInside()
      return execute(db, statement)
    },
    transaction: async (work) => {
      refuseInside()
      for (let tries = 1; ; tries++) {
        try {
          return await runOnce(db, work)
        } catch (error) {
          if (!isWorthAnotherTry(error) || tries === triesMax) throw error
          await delay(Math.random() * 10 * tries) // apart from the one it collided with
        }
      }
    },
    afterCommit: (effect) => effect(),
  }
}

async function runOnce<T>(db: Kysely<unknown>, work: (handle: Handle) => Promise<T>): Promise<T> {
  const effects: (() => void)[] = []
  const state = { isOpen: true }
  const result = await running.run(state, async () => {
    try {
      return await db.transaction().execute((transaction) => work(inside(transaction, effects)))
    } finally {
      state.isOpen = false
    }
  })
  for (const effect of effects) effect()
  return result
}

function inside(transaction: Kysely<unknown>, effects: (() => void)[]): Handle {
  const handle: Handle = {
    inTransaction: true,
    execute: (statement) => execute(transaction, statement),
    transaction: (work) => work(handle),
    afterCommit: (effect) => {
      effects.push(effect)
    },
  }
  return handle
}

async function execute<R>(db: Kysely<unknown>, statement: RawBuilder<R>): Promise<{ rows: R[]; affected: number }> {
  const { rows, numAffectedRows } = await statement.execute(db)
  return { rows, affected: Number(numAffectedRows ?? rows.length) }
}

/** serialization_failure and deadlock_detected: the database itself says that the same work may succeed now. */
function isWorthAnotherTry(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '40001' || code === '40P01'
}
