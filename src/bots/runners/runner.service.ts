import { randomBytes } from 'node:crypto'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { deleteRunner, findRunner, insertRunner, listRunners, type Runner, setEnrollment } from './runner.store.ts'
import { newToken } from './runner-token.rules.ts'

const enrollmentMs = 15 * 60_000
const runnersMax = 100

export type Enrolling = { runner: Runner; enrollmentToken: string; expiresAt: Date }
export type Runners = ReturnType<typeof runnerService>

/** The programs that run bots of a tenant, or of all tenants. */
export function runnerService({ clock, audit }: { clock: Clock; audit: Audit }) {
  /** Refuses with QUOTA_EXCEEDED. */
  function create(scope: TenantScope, { name, isShared }: { name: string; isShared: boolean }): Promise<Enrolling> {
    const now = clock.now()
    const id = newId(now)
    const { token: enrollmentToken, hash: enrollmentHash } = newToken('enrollment', randomBytes)
    const expiresAt = new Date(now.getTime() + enrollmentMs)
    return transaction(scope, async (tx) => {
      if ((await listRunners(tx)).length >= runnersMax)
        throw new Refusal('QUOTA_EXCEEDED', { detail: `A tenant can have at most ${runnersMax} runners.` })
      await insertRunner(tx, { id, name: name.trim(), isShared, enrollmentHash, expiresAt, now })
      await audit(tx, { action: 'bot.runner.create', target: { type: 'bot-runner', id } })
      return { runner: await get(tx, id), enrollmentToken, expiresAt }
    })
  }

  async function get(scope: TenantScope, id: string): Promise<Runner> {
    const runner = isId(id) ? await findRunner(scope, id) : null
    if (runner === null) throw notFound()
    return runner
  }

  /** Another one-time token. The runner that has enrolled works on until it is used. */
  function renewEnrollment(scope: TenantScope, id: string): Promise<Enrolling> {
    const { token: enrollmentToken, hash } = newToken('enrollment', randomBytes)
    const expiresAt = new Date(clock.now().getTime() + enrollmentMs)
    return transaction(scope, async (tx) => {
      const runner = await get(tx, id)
      await setEnrollment(tx, { id, hash, expiresAt })
      await audit(tx, {
        action: 'bot.runner.enrollment-token',
        target: { type: 'bot-runner', id },
        changes: { expiresAt },
      })
      return { runner, enrollmentToken, expiresAt }
    })
  }

  /** Its tokens stop working at once; its bots are taken over, or fail. */
  const remove = (scope: TenantScope, id: string): Promise<void> =>
    transaction(scope, async (tx) => {
      if (!isId(id) || !(await deleteRunner(tx, id))) throw notFound()
      await audit(tx, { action: 'bot.runner.delete', target: { type: 'bot-runner', id } })
    })

  return { create, get, renewEnrollment, remove, list: listRunners }
}
