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
  return { [brand]: true, texts: emptyTexts(parts.length + 1), values }
}

const emptyTextsByLength: string[][] = []

function emptyTexts(length: number): readonly string[] {
  emptyTextsByLength[length] ??= Array(length).fill('')
  return emptyTextsByLength[length]
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

/**
 * A tree of the shapes that statements had: from the texts of a statement, by way of each value or part in it, to the whole
 * text. To put the text together, and to find the name of a text that was just put together, would take several times as
 * long.
 */
type Shape = { text: string | null; next: Map<unknown, Shape> }

const parameterStep = Symbol('parameter')

/** @param shapesMax with so many it begins anew, because statements with long lists vary without end. */
export function nestedCompiler(shapesMax: number): (statement: Sql) => CompiledSql {
  const shapes: Shape = { text: null, next: new Map() }
  let count = 0

  const nextShape = ({ next }: Shape, step: unknown): Shape => {
    const known = next.get(step)
    if (known !== undefined) return known
    if (count >= shapesMax) {
      shapes.next.clear()
      count = 0
    }
    const made: Shape = { text: null, next: new Map() }
    next.set(step, made)
    count += 1
    return made
  }

  /** The shape that a statement leads to from another; adds its parameters. */
  const shapeOf = ({ texts, values }: Sql, from: Shape, parameters: unknown[]): Shape => {
    // A template has the same array of texts at each call, and what `sql.raw` returns the same text.
    let shape = nextShape(from, texts.length === 1 ? texts[0] : texts)
    for (const value of values) {
      if (isSql(value)) {
        shape = shapeOf(value, shape, parameters)
      } else {
        parameters.push(value)
        shape = nextShape(shape, parameterStep)
      }
    }
    return shape
  }

  return (statement) => {
    const parameters: unknown[] = []
    const shape = shapeOf(statement, shapes, parameters)
    shape.text ??= nestedText(statement)
    return { sql: shape.text, parameters }
  }
}

// The service has some thousands.
const compileNested = nestedCompiler(20_000)

function nestedText(statement: Sql): string {
  let count = 0
  const textOf = ({ texts, values }: Sql): string =>
    texts.reduce((text, next, index) => {
      const between = values[index - 1]
      return `${text}${isSql(between) ? textOf(between) : `$${++count}`}${next}`
    })
  return textOf(statement)
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && brand in value
}
