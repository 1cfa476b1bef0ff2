import { parseArgs } from 'node:util'

export type Options = { scenarios: string[]; isQuick: boolean; rounds: number }

/** The arguments of `npm run bench`. Throws an error that says what is allowed. */
export function readOptions(args: string[], known: { name: string; isOptional?: boolean }[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const names = known.map(({ name }) => name)
  const stranger = positionals.find((name) => !names.includes(name))
  if (stranger !== undefined) throw new Error(`There is no scenario ${stranger}; there are ${names.join(', ')}.`)
  const rounds = Number(values.rounds ?? (values.quick ? 2 : 5))
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1 on.')
  const usual = known.filter(({ isOptional }) => isOptional !== true).map(({ name }) => name)
  return { scenarios: positionals.length > 0 ? positionals : usual, isQuick: values.quick, rounds }
}
