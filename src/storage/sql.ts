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

/** A value for several places of a statement. */
export type Parameter = { readonly [brand]: true; readonly value: unknown }

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

/** A value that is sent once, though it stands in several places of a statement. Its first place should say its type. */
sql.parameter = (value: unknown): Parameter => ({ [brand]: true, value })

/** Text of the program itself. Never pass anything that came from outside. */
sql.raw = <Row = unknown>(text: string): Sql<Row> => ({ [brand]: true, texts: [text], values: [] })

// A template has the same array of texts at each call.
const flatTexts = new WeakMap<readonly string[], string>()

export function compile(statement: Sql): CompiledSql {
  return statement.values.some(isPart) ? compileNested(statement) : compileFlat(statement)
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

/** @param shapesMax with so many it starts from empty again, because statements with long lists vary without end. */
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
  const shapeOf = ({ texts, values }: Sql, from: Shape, gathered: Gathered): Shape => {
    // A template has the same array of texts at each call, and what `sql.raw` returns the same text.
    let shape = nextShape(from, texts.length === 1 ? texts[0] : texts)
    for (const value of values) {
      shape = isSql(value)
        ? shapeOf(value, shape, gathered)
        : nextShape(shape, gather(gathered, value) ?? parameterStep)
    }
    return shape
  }

  return (statement) => {
    const gathered: Gathered = { parameters: [], numbers: null }
    const shape = shapeOf(statement, shapes, gathered)
    shape.text ??= nestedText(statement)
    return { sql: shape.text, parameters: gathered.parameters }
  }
}

// The service has some thousands.
const compileNested = nestedCompiler(20_000)

function nestedText(statement: Sql): string {
  const gathered: Gathered = { parameters: [], numbers: null }
  const textOf = ({ texts, values }: Sql): string =>
    texts.reduce((text, next, index) => {
      const between = values[index - 1]
      return `${text}${isSql(between) ? textOf(between) : `$${gather(gathered, between) ?? gathered.parameters.length}`}${next}`
    })
  return textOf(statement)
}

/** What a statement sends, and which of it may be sent for a second place. */
type Gathered = { parameters: unknown[]; numbers: Map<Parameter, number> | null }

/** Adds a value. Returns the number of a parameter that was added before; otherwise null, and the value is the last one. */
function gather(gathered: Gathered, value: unknown): number | null {
  if (!isPart(value)) {
    gathered.parameters.push(value)
    return null
  }
  gathered.numbers ??= new Map()
  const { parameters, numbers } = gathered
  const parameter = value as Parameter
  const before = numbers.get(parameter)
  if (before !== undefined) return before
  numbers.set(parameter, parameters.push(parameter.value))
  return null
}

function isSql(value: unknown): value is Sql {
  return isPart(value) && 'texts' in value
}

function isPart(value: unknown): value is Sql | Parameter {
  return typeof value === 'object' && value !== null && brand in value
}
