import { createRequire } from 'node:module'

type AsyncHooks = { getHookArrays(): [{ disable(): void }[]] }

/** Errors that were thrown outside of all tests. The reporter of the test runner is in the same process. */
export const thrownOutside: { error: unknown; file: string }[] = []

/**
 * Takes the test runner's hook out, which follows every promise and timer to the test that made it, only to name that test when
 * an error is thrown outside of all. Such an error still fails the run: `suite-report.ts` lists it with its place and with the file
 * whose tests ran. Needs `--expose-internals`, because the runner has no option for it.
 */
export function unhookPromises(runningFile: () => string): void {
  const { getHookArrays } = createRequire(import.meta.url)('internal/async_hooks') as AsyncHooks
  for (const hook of [...getHookArrays()[0]]) hook.disable()
  process.on('uncaughtExceptionMonitor', (error) => {
    console.error('Thrown outside of all tests:', error)
    thrownOutside.push({ error, file: runningFile() })
  })
}
