// npm run bench -- knowledge [--data folder]: how good search and answers are, on sets of questions that are no part of this
// project. They are looked for in the folder, in ATRIUM_BENCH_DATA, or in ../shared/data.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readArticles, readMeetings } from './data.ts'
import { type Figure, renderFigures } from './figure.ts'
import { measureArticles } from './measure-articles.ts'
import { measureMeetings, toChunks } from './measure-meetings.ts'
import { measureSpeed } from './measure-speed.ts'

const { values } = parseArgs({ args: process.argv.slice(3), options: { data: { type: 'string' } } })
const folder = resolve(values.data ?? process.env['ATRIUM_BENCH_DATA'] ?? '../shared/data')
const missing: string[] = []

const figures = (['en', 'de'] as const).flatMap((language): Figure[] => {
  const articles = readArticles(folder, language)
  if (articles === null) missing.push(`xquad/xquad.${language}.json`)
  return articles === null ? [] : measureArticles(articles, language)
})
const meetings = readMeetings(folder)
if (meetings === null) missing.push('qmsum-val')
else figures.push(...measureMeetings(meetings))

for (const name of missing) console.log(`${name} is not in ${folder}: its figures are left out.`)
if (figures.length > 0) console.log(renderFigures(figures))
if (meetings !== null)
  console.log(
    measureSpeed(
      meetings.flatMap(({ entries }, unit) => toChunks(entries, unit)),
      meetings,
    ).join('\n'),
  )
