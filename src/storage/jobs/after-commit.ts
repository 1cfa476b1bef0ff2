import { randomUUID } from 'node:crypto'
import { systemCaller } from '../../kernel/caller.ts'
import type { Handle } from '../handle.ts'
import { mintPlatformScope, mintTenantScope } from '../mint.ts'
import type { JobKind, Jobs, JobWork, NewJob } from './jobs.ts'

type Log = { warn(fields: Record<string, unknown>, message: string): void }

/** TEMPORARY stand-in for the durable runner: each job runs once, in this process, after the commit. */
export function jobsAfterCommit({ handle, log }: { handle: Handle; log: Log }) {
  const handlers = new Map<string, JobWork['handle']>()
  const running = new Set<Promise<void>>()

  const run = ({ name }: JobKind<object>, { data, tenantId = null, id = randomUUID() }: NewJob<object>) => {
    const scope =
      tenantId === null ? mintPlatformScope(handle, systemCaller) : mintTenantScope(handle, tenantId, systemCaller)
    const signal = AbortSignal.timeout(60_000)
    const work = (handlers.get(name)?.({ id, data, scope, attempt: 1, isLastAttempt: false, signal }) ??
      Promise.resolve()) as Promise<void>
    const done = work
      .catch((error: unknown) => log.warn({ err: error }, `the job ${name} failed`))
      .finally(() => running.delete(done))
    running.add(done)
  }

  const jobs: Jobs = {
    enqueue: async (scope, kind, job) => scope.handle.afterCommit(() => run(kind as JobKind<object>, job)),
  }
  return {
    ...jobs,
    work: (works: JobWork[]) => {
      for (const { kind, handle: handleJob } of works) handlers.set(kind.name, handleJob)
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
