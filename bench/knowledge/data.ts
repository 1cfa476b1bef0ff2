import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Paragraph = { article: number; text: string; questions: { text: string; answers: string[] }[] }
export type Article = { title: string; paragraphs: Paragraph[] }

/** `spans`: the entries that answer, by their index, both ends inclusive. */
export type Meeting = {
  name: string
  entries: { seq: number; speaker: string; text: string }[]
  questions: { text: string; spans: [first: number, last: number][] }[]
}

type Squad = {
  data: { title: string; paragraphs: { context: string; qas: { question: string; answers: { text: string }[] }[] }[] }[]
}

/** The articles of XQuAD in a language; null where the folder has none. */
export function readArticles(folder: string, language: string): Article[] | null {
  const file = join(folder, 'xquad', `xquad.${language}.json`)
  if (!existsSync(file)) return null
  const { data } = JSON.parse(readFileSync(file, 'utf8')) as Squad
  return data.map(({ title, paragraphs }, article) => ({
    title: title.replaceAll('_', ' '),
    paragraphs: paragraphs.map(({ context, qas }) => ({
      article,
      text: context,
      questions: qas.map((it) => ({ text: it.question, answers: it.answers.map((answer) => answer.text) })),
    })),
  }))
}

type QmSum = {
  meeting_transcripts: { speaker: string; content: string }[]
  specific_query_list: { query: string; relevant_text_span: [string, string][] }[]
}

/** The meetings of QMSum's validation split; null where the folder has none. */
export function readMeetings(folder: string): Meeting[] | null {
  const place = join(folder, 'qmsum-val')
  if (!existsSync(place)) return null
  const names = readdirSync(place).filter((it) => it.endsWith('.json'))
  return names.sort().map((name) => {
    const meeting = JSON.parse(readFileSync(join(place, name), 'utf8')) as QmSum
    return {
      name,
      entries: meeting.meeting_transcripts.map(({ speaker, content }, seq) => ({ seq, speaker, text: content })),
      questions: meeting.specific_query_list.map(({ query, relevant_text_span }) => ({
        text: query,
        spans: relevant_text_span.map(([first, last]): [number, number] => [Number(first), Number(last)]),
      })),
    }
  })
}
