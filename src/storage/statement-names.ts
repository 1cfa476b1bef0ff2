export type Statement = { sql: string; parameters: readonly unknown[] }

/**
 * Names for prepared statements. A server parses and plans a named statement once for each connection, an unnamed one every
 * time, which takes 1.5 to 2.5 times the processor time.
 */
export type StatementNames = {
  /** The name of a statement, or undefined if it has to stay unnamed. */
  nameFor(text: string): string | undefined
  /** Makes the next use prepare the statement again, on every connection. */
  renew(text: string): void
}

/** @param namesMax further statements stay unnamed, because each name takes memory on each connection. 0: no names. */
export function statementNames(namesMax: number): StatementNames {
  const names = new Map<string, string>()
  let count = 0
  return {
    nameFor: (text) => {
      const known = names.get(text)
      if (known !== undefined || names.size >= namesMax) return known
      const name = `a${++count}`
      names.set(text, name)
      return name
    },
    renew: (text) => {
      names.delete(text)
    },
  }
}
