export type Changes = ReturnType<typeof changes>

/** Lets a test wait for an event instead of asking again and again. The runner's timeout ends a wait for what never comes. */
export function changes() {
  const checks = new Set<() => void>()
  return {
    /** To be called after each change of what `until` asks about. */
    changed: (): void => {
      for (const check of [...checks]) check()
    },
    /** Resolves as soon as it is so. */
    until: (isSo: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const check = () => {
          if (!isSo()) return
          checks.delete(check)
          resolve()
        }
        checks.add(check)
        check()
      }),
  }
}
