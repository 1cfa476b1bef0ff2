/** Marks what this file made: no value from outside can pass for a part of a statement. */
const made = Symbol('sql')

declare const rowType: unique symbol

/** A statement or a part of one: text around values. The values never become text. `Row` is what a row of it is read as. */
export type Sql<Row = unknown> = {
  readonly [made]: true
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  readonly [rowType]?: Row
}

/** What a driver takes: `$1` and so on in place of the values. */
export type CompiledSql = { sql: string; parameters: unknown[] }

/** SQL as SQL: `${value}` is a parameter, and another `sql` in its place becomes part of the text. */
export function sql<Row = unknown>(texts: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  return { [made]: true, texts, values }
}

/** Parts with the same text between them: conditions, assignments. */
sql.join = (parts: readonly unknown[], between: Sql): Sql => {
  const values = parts.map((part, index) => (index === 0 ? part : sql`${between}${part}`))
  return { [made]: true, texts: Array(parts.length + 1).fill(''), values }
}

/** Text that the program itself wrote. Never with anything in it that came from outside. */
sql.raw = <Row = unknown>(text: string): Sql<Row> => ({ [made]: true, texts: [text], values: [] })

// A template's texts are one array for all its calls.
const plainTexts = new WeakMap<readonly string[], string>()

export function compile(statement: Sql): CompiledSql {
  return statement.values.some(isSql) ? compileNested(statement) : compilePlain(statement)
}

/** Without parts in it, the text of a statement is the same at each call. */
function compilePlain({ texts, values }: Sql): CompiledSql {
  let text = plainTexts.get(texts)
  if (text === undefined) {
    text = texts.reduce((before, next, index) => `${before}$${index}${next}`)
    plainTexts.set(texts, text)
  }
  return { sql: text, parameters: [...values] }
}

function compileNested(statement: Sql): CompiledSql {
  const parameters: unknown[] = []
  const placeholder = (value: unknown): string => (isSql(value) ? textOf(value) : `$${parameters.push(value)}`)
  const textOf = ({ texts, values }: Sql): string =>
    texts.reduce((text, next, index) => text + placeholder(values[index - 1]) + next)
  return { sql: textOf(statement), parameters }
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && made in value
}
