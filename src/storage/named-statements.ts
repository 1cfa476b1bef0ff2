import pg from 'pg'

// Far more statements than the program has; a bound in case some text varies after all.
const namesMax = 1000

/**
 * A `pg.Client` that names every statement with parameters, so that the server parses and plans it once a connection
 * (unnamed statements cost 1.5 to 2.5 times the server's CPU). Not for a proxy that pools transactions.
 */
export function namingClient(): typeof pg.Client {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size >= namesMax) return known
    const name = `atrium_${names.size + 1}`
    names.set(text, name)
    return name
  }
  class NamingClient extends pg.Client {
    // Kysely calls `query(text, values)` and awaits; every other form goes through as it is.
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's query have no common type
    override query(...parameters: any[]): any {
      const [text, values] = parameters
      if (typeof text !== 'string' || !Array.isArray(values) || parameters.length > 2)
        return pg.Client.prototype.query.apply(this, parameters as never)
      const name = values.length > 0 ? nameOf(text) : undefined
      const asked = super.query(name === undefined ? { text, values } : { name, text, values })
      return asked.catch((error: Error) => this.#dropIfSilent(error))
    }

    /** After a query timeout the answer may still come, or never: such a connection must not serve anybody else. */
    #dropIfSilent(error: Error): never {
      const { connection } = this as unknown as { connection: { stream: { destroy(): void } } }
      if (error.message === 'Query read timeout') connection.stream.destroy()
      throw error
    }
  }
  return NamingClient
}
