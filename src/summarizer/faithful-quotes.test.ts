import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { stopWords } from './language/stop-words.ts'
import { splitWords } from './language/words.ts'
import { summarize } from './summarize.ts'
import type { TranscriptEntry } from './summary.ts'

/** Words of each language, many of which begin like the one that may stand before them. */
const vocabularies = {
  en: 'the car carries to Tom tomorrow we met a bat battery in inner at attic pro protocol is island re remote he hears Ben bench plan planet budget so soil for forty',
  de: 'Ob er es essen will wir wirken in innen der derbe an andere Anke ankern Bau Bauten das Dach so Sommer um Umzug bei beide Plan planen kein Geld im Impfzentrum',
  fr: 'nous étions trois y yeux la lampe un uniforme en enfants le legs Marc marché de demain on onze par parents plan planche est estrade ne neige au automne',
  es: 'éramos tres y ya fue la larga en enero el elefante Ana analiza con contrato si siglo a abril de despacho un universo los losa plan planta por portero',
  it: 'eravamo tre e erano la lana in inverno il ilare Marco marcia con contratto di diario un universo al albero piano pianoforte per perdita da danza se secolo',
}

const wordsOf = (list: string) => list.split(' ')
const contentOf = (text: string, language: string) =>
  splitWords(text).filter((word) => !stopWords[language]?.has(word) && !stopWords['en']?.has(word))

/** The quoted words are words of one cited entry in their order, and of its content words none between them is missing. */
function assertFaithful(quote: string, cited: readonly string[], language: string) {
  const said = splitWords(quote)
  const isFaithful = cited.some((entry) => {
    let at = 0
    const source = splitWords(entry)
    const isSubsequence = said.every((word) => {
      at = source.indexOf(word, at) + 1
      return at > 0
    })
    return (
      isSubsequence && ` ${contentOf(entry, language).join(' ')} `.includes(` ${contentOf(quote, language).join(' ')} `)
    )
  })
  assert.ok(isFaithful, `\u201c${quote}\u201d is not what was said: ${cited.join(' / ')}`)
}

function assertFaithfulQuotes(transcript: TranscriptEntry[], language: string) {
  for (const mode of ['short', 'detailed'] as const) {
    const { sections, decisions, actionItems } = summarize({
      title: 'A meeting',
      transcript,
      mode,
      personality: 'challenger',
      language,
    })
    const citedTexts = (citations: number[]) => citations.map((at) => transcript[at]?.text ?? '')
    for (const { text, citations } of sections.flatMap(({ sentences }) => sentences))
      for (const [, quote = ''] of text.matchAll(/\u201c([^\u201d]*)\u201d/gu))
        if (quote !== 'A meeting') assertFaithful(quote, citedTexts(citations), language)
    for (const { text, citations } of [...decisions, ...actionItems])
      assertFaithful(text, citedTexts(citations), language)
  }
}

describe('a quotation is what was said, in order, without a missing content word', () => {
  for (const [language, list] of Object.entries(vocabularies)) {
    const sentence = fc
      .shuffledSubarray(wordsOf(list), { minLength: 4, maxLength: 14 })
      .map((words) => `${words.join(' ')}.`)
    test(`in any sentence of words that begin alike: ${language}`, () => {
      fc.assert(
        fc.property(fc.array(sentence, { minLength: 1, maxLength: 6 }), (texts) => {
          const transcript = texts.map((text, i) => ({ speaker: i % 2 ? 'Uma' : 'Ole', text, timestamp: '00:00:01' }))
          assertFaithfulQuotes(transcript, language)
        }),
        { numRuns: Number(process.env.SUMMARY_RUNS ?? 60) },
      )
    })
  }

  for (const [language, text] of [
    ['en', 'On Monday the car carries the new carpets to the hall.'],
    ['en', 'We met Tom tomorrow morning in my dream about the office.'],
    ['de', 'Wir fragen das Kind, ob er es essen will oder lieber nicht.'],
    ['es', 'Ayer éramos tres y ya fue bastante trabajo para todos.'],
    ['fr', 'Il y yodlait toute la nuit dans la montagne du village.'],
    ['it', 'Ogni mattina la lana arriva e era sempre troppo umida.'],
    ['fr', 'Nous nous retrouvons demain matin dans la salle du conseil.'],
    ['de', 'Das ist die Lösung für alle, die die Frist gestern verpasst haben.'],
    ['en', 'The number of the office is five five two seven in the north.'],
    ['en', 'After lunch on Friday with plan A we take the wooden case.'],
  ] as const) {
    test(`no word is dropped because the next one begins alike: ${text}`, () => {
      const { text: summary } = summarize({
        title: '',
        transcript: [{ speaker: 'Ole', text, timestamp: '00:00:01' }],
        mode: 'short',
        personality: 'neutral',
        language,
      })
      assert.ok(summary.includes(text.slice(1, -1)), summary)
    })
  }
})

test('a spelled abbreviation is one word, and two of them are two', () => {
  const { text } = summarize({
    title: '',
    transcript: [
      { speaker: 'Ole', text: 'The L_C_D_ of the T_V_ D_V_D_ player shows the new channel.', timestamp: '' },
    ],
    mode: 'short',
    personality: 'neutral',
  })
  assert.match(text, /LCD of the TV DVD player shows the new channel/)
})
