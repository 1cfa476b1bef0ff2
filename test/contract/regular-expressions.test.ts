import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { pathPattern, type Route } from '../../src/http/route.ts'
import { testApp } from '../harness/app.ts'
import { repeatedTexts } from '../harness/repeated-texts.ts'
import { constructedAtLoad, readRegexps, type SourceRegexp } from '../harness/source-regexps.ts'
import { type Feed, findSuperlinear } from '../harness/text-growth.ts'

/** The lines that construct a regular expression later than at load. Its parts are ours: what somebody sent is never one. */
const constructedLater: Record<string, (routes: Route[]) => RegExp[]> = {
  'src/http/route.ts': (routes) => routes.map(pathPattern),
}

function fileOf(at: string): string {
  return at.slice(0, at.lastIndexOf(':'))
}

function feedTo(regexp: RegExp): Feed {
  // Replacing goes on behind each match.
  if (regexp.global) return (text) => text.replace(regexp, '')
  return (text) => {
    regexp.lastIndex = 0
    return regexp.test(text)
  }
}

type Fed = { at: string; source: string; feed: Feed }

/** Names everything that takes more time than the length of a text explains. */
function assertLinear(all: Iterable<Fed>): void {
  const slow = [...all].flatMap(({ at, source, feed }) => {
    const found = findSuperlinear(feed, repeatedTexts(source))
    if (found === null) return []
    const [prefix, pump, suffix] = [found.prefix, found.pump, found.suffix].map((text) => JSON.stringify(text))
    return [
      `${at}: /${source}/ takes ${found.ratio} times as long for 8 times as many of ${pump} after ${prefix} and before ${suffix}`,
    ]
  })
  assert.deepEqual(slow, [])
}

const fed = ({ at, regexp }: SourceRegexp): Fed => ({ at, source: regexp.source, feed: feedTo(regexp) })

describe('regular expressions', () => {
  const { literals, constructions } = readRegexps()
  const constructed: SourceRegexp[] = []
  let routes: Route[] = []
  before(async () => {
    routes = (await testApp()).routes
    for (const file of new Set(constructions.map(fileOf))) constructed.push(...(await constructedAtLoad(file)))
  })

  test('of more than linear time are found, and others are not', () => {
    const texts = ['a', '-', ' ', '<', '\\"'].flatMap((pump) =>
      ['x', '"'].map((prefix) => ({ prefix, pump, suffix: '\u0000' })),
    )
    const verdict = (regexp: RegExp) => findSuperlinear(feedTo(regexp), texts) !== null
    for (const slow of [/\s+$/, /^-+|-+$/g, /^x(?:a+)+$/]) assert.ok(verdict(slow), String(slow))
    for (const linear of [/(?<!\s)\s+$/, /^[a-z0-9]+(?:-[a-z0-9]+)*$/, /<[^<>]{0,500}>/g, /a.{0,50}b/])
      assert.ok(!verdict(linear), String(linear))
  })

  test('that the source writes take linear time for every text', () => {
    assert.ok(literals.length > 400)
    const distinct = new Map(literals.map((each) => [String(each.regexp), each]))
    assertLinear(distinct.values().map(fed))
  })

  test('are constructed of our own words alone, once, and take linear time for every text', () => {
    const seen = new Set(constructed.map(({ at }) => at))
    const later = constructions.filter((at) => !seen.has(at)).map(fileOf)
    assert.deepEqual(
      later,
      Object.keys(constructedLater),
      'a regular expression is constructed while a request is served',
    )
    const ofRoutes = Object.entries(constructedLater).flatMap(([at, samples]) =>
      samples(routes).map((regexp) => ({ at, regexp })),
    )
    const shapes = new Map(ofRoutes.map((each) => [each.regexp.source.replace(/[a-z]+/g, 'a'), each]))
    assertLinear([...constructed, ...shapes.values()].map(fed))
  })

  test('of schemas take linear time for texts of any length, also to explain a fault', () => {
    const strings = new Map<string, StringSchema>()
    for (const route of routes) for (const schema of inputSchemas(route)) collectStrings(schema, strings)
    assert.ok(strings.size > 20)
    const validated = strings.entries().map(([at, schema]) => {
      const validator = Compile(schema as TSchema)
      const feed = (text: string) => validator.Check(text) || validator.Errors(text)
      return { at, source: schema.pattern ?? schema.format ?? '', feed }
    })
    assertLinear(validated)
  })
})

type StringSchema = { type: string; pattern?: string; format?: string; minLength?: number; maxLength?: number }

function inputSchemas({ params, query, body, upload, socket }: Route): unknown[] {
  return [params, query, body, upload?.fields, ...Object.values(socket?.frames ?? {})]
}

/** The schemas of texts with a pattern, a format or a length, without their other keywords. */
function collectStrings(schema: unknown, found: Map<string, StringSchema>): void {
  if (typeof schema !== 'object' || schema === null) return
  const { pattern, format, minLength, maxLength } = schema as StringSchema
  if (typeof pattern === 'string' || typeof format === 'string' || typeof maxLength === 'number') {
    const kept = Object.entries({ pattern, format, minLength, maxLength }).filter(([, value]) => value !== undefined)
    const text = { type: 'string', ...Object.fromEntries(kept) }
    found.set(JSON.stringify({ pattern, format, isShort: (maxLength ?? 0) < 300 }), text)
  }
  for (const part of Object.values(schema)) collectStrings(part, found)
}
