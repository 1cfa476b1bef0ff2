type Answer = { pagination: { page: number; totalPages: number } }

export type PageReader = (page: number | undefined) => Promise<unknown>

/**
 * A list of the service. `for await` reads it entry by entry and fetches each page when its first entry is needed; `page()`
 * fetches one page with its `pagination`.
 */
export class Pages<Item, Page> implements AsyncIterable<Item> {
  readonly #read: PageReader
  readonly #member: string

  constructor(read: PageReader, member: string) {
    this.#read = read
    this.#member = member
  }

  /** Without a number: the page that the input of the list names, or the first. */
  page(number?: number): Promise<Page> {
    return this.#read(number) as Promise<Page>
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let number: number | undefined
    while (true) {
      const answer = (await this.#read(number)) as Answer & Record<string, Item[]>
      yield* answer[this.#member] ?? []
      const { page, totalPages } = answer.pagination
      if (page >= totalPages) return
      number = page + 1
    }
  }
}
