import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Attack, AttackTarget } from './attack.ts'

/** `seen`: what the attack returned, or why the service did not hold. */
export type Outcome = { seen: string; isBroken: boolean }

export type Attacker = { run(attack: Attack, target: AttackTarget): Promise<Outcome>; stop(): void }

/**
 * An attacker in a process of the lowest priority. Elsewhere it would have processors of its own: here it must not take
 * them from the service and the probe, or the trial would measure how long these did not run. `stop` closes its connections.
 */
export async function startAttacker(): Promise<Attacker> {
  const child = fork(fileURLToPath(new URL('./attacker.process.ts', import.meta.url)))
  setPriority(child.pid as number, constants.priority.PRIORITY_LOW)
  const message = async () => {
    const ended = new AbortController()
    child.once('exit', () => ended.abort(new Error('The attacker ended without an answer.')))
    const [sent] = await once(child, 'message', ended)
    return sent
  }
  await message() // it is ready
  return {
    run: async ({ name }, target) => {
      child.send({ name, target })
      return message()
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
