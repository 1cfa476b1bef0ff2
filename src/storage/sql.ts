/** Marks what this file created: no value from outside can pass for a part of a statement. */
const brand = Symbol('sql')

declare const rowType: unique symbol

/** A statement or a part of one: texts around values. Values never become text. `Row` is the type of its rows. */
export type Sql<Row = unknown> = {
  readonly [brand]: true
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  readonly [rowType]?: Row
}

/** For a driver: the text with `$1` and so on in place of the values. */
export type CompiledSql = { sql: string; parameters: unknown[] }

/** A tagged template for SQL: `${value}` becomes a parameter, a nested `sql` becomes part of the text. */
export function sql<Row = unknown>(texts: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  return { [brand]: true, texts, values }
}

/** Joins parts with the same text between them, for example conditions or assignments. */
sql.join = (parts: readonly unknown[], between: Sql): Sql => {
  const values = parts.map((part, index) => (index === 0 ? part : sql`${between}${part}`))
  return { [brand]: true, texts: Array(parts.length + 1).fill(''), values }
}

/** Text of the program itself. Never pass anything that came from outside. */
sql.raw = <Row = unknown>(text: string): Sql<Row> => ({ [brand]: true, texts: [text], values: [] })

// A template has the same array of texts at each call.
const flatTexts = new WeakMap<readonly string[], string>()

export function compile(statement: Sql): CompiledSql {
  return statement.values.some(isSql) ? compileNested(statement) : compileFlat(statement)
}

/** Without nested parts, the text of a statement is the same at each call. */
function compileFlat({ texts, values }: Sql): CompiledSql {
  let text = flatTexts.get(texts)
  if (text === undefined) {
    text = texts.reduce((before, next, index) => `${before}$${index}${next}`)
    flatTexts.set(texts, text)
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
  return typeof value === 'object' && value !== null && brand in value
}
