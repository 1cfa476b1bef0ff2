import { allAttacks } from './all-attacks.ts'
import type { AttackTarget } from './attack.ts'
import type { Outcome } from './attacker.ts'

process.once('message', async ({ name, target }: { name: string; target: AttackTarget }) => {
  process.send?.(await outcomeOf(name, target))
})
process.send?.('ready')

async function outcomeOf(name: string, target: AttackTarget): Promise<Outcome> {
  try {
    const seen = await allAttacks.find((attack) => attack.name === name)?.run(target)
    return { seen: seen ?? '', isBroken: false }
  } catch (error) {
    return { seen: (error as Error).message.slice(0, 200), isBroken: true }
  }
}
