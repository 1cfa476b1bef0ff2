import type { Scope } from '../storage/scope.ts'

/**
 * Records who changed what, in the transaction of the change. Declared here because identity, which does it, imports types
 * of this folder.
 */
export type Audit = (
  tx: Scope,
  entry: {
    action: string
    target: { type: string; id: string | null }
    changes?: Record<string, unknown>
  },
) => Promise<void>
