export type Tokens = { accessToken: string; refreshToken: string }

/** Where the tokens of a signed-in user are kept. `set(null)`: the user is signed out. */
export type TokenStore = {
  get(): Tokens | null | Promise<Tokens | null>
  set(tokens: Tokens | null): void | Promise<void>
}

export function memoryTokens(): TokenStore {
  let kept: Tokens | null = null
  return {
    get: () => kept,
    set: (tokens) => {
      kept = tokens
    },
  }
}

export type TokenKeeper = TokenStore & {
  /** The tokens after `spent`. Any number of calls at once make one refresh. Null: the user has to sign in again. */
  renew(spent: string): Promise<Tokens | null>
}

/** `refresh` asks the service, and answers null if it refuses. */
export function tokenKeeper(store: TokenStore, refresh: (refreshToken: string) => Promise<Tokens | null>): TokenKeeper {
  let renewing: Promise<Tokens | null> | null = null
  const exchange = async (spent: string): Promise<Tokens | null> => {
    const tokens = await store.get()
    if (tokens === null || tokens.accessToken !== spent) return tokens
    const renewed = await refresh(tokens.refreshToken)
    await store.set(renewed)
    return renewed
  }
  return {
    get: () => store.get(),
    set: (tokens) => store.set(tokens),
    renew: (spent) => {
      renewing ??= exchange(spent).finally(() => {
        renewing = null
      })
      return renewing
    },
  }
}

/** The tokens in an answer of `register`, `login`, `refresh` or `signInWithGoogle`. */
export function tokensIn(answer: unknown): Tokens | null {
  const { accessToken, refreshToken } = (answer ?? {}) as Partial<Tokens>
  return accessToken && refreshToken ? { accessToken, refreshToken } : null
}
