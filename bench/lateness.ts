import { type Ground, serviceEnvironment } from './ground/service.ts'
import type { LoopDelay } from './loop-delay.ts'
import { type Program, startProgram } from './program.ts'

/** The service with `loop-delay.ts` beside it. */
export function startHeardService(ground: Ground, environment: Record<string, string> = {}): Promise<Program> {
  return startProgram({
    args: ['--import', './bench/loop-delay.ts', 'scripts/node24.js', 'src/main.ts'],
    // As `scripts/node24.js` sets it. It would begin the process again, and lose the channel to its parent.
    environment: {
      GLIBC_TUNABLES: 'glibc.malloc.mmap_threshold=131072:glibc.malloc.hugetlb=1',
      ...serviceEnvironment(ground),
      ...environment,
    },
    isHeard: true,
  })
}

/** How late the event loop of a program that was so started runs while something is done. */
export async function delayDuring(program: Program, work: () => Promise<unknown>): Promise<LoopDelay> {
  program.tell('begin')
  await work()
  return (await program.answerTo('end')) as LoopDelay
}
