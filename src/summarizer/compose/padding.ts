// The analysis of a short meeting in, sentences that fill the promised length out.

import type { Analysis } from '../analysis.ts'
import type { SummarySentence } from '../summary.ts'
import { recordFact, withCount } from './reported-speech.ts'

const entriesCited = 4

/**
 * Sentences for a transcript that is too short for the promised length: what can be counted, how such a summary is
 * made, and what a reader may do. Each is true of its meeting; none reports anything that was said.
 */
export function detailedPadding(analysis: Analysis): SummarySentence[] {
  const { record } = analysis
  const citations = record.speakers.flatMap(({ entries }) => entries.slice(0, 1)).slice(0, entriesCited)
  return [...recordFacts(analysis), ...(record.entryCount === 0 ? emptyRecordFacts : []), ...method, ...checklist].map(
    (text) => ({
      ...recordFact(text, citations),
      padding: true,
    }),
  )
}

function recordFacts({ record, topics, outcomes }: Analysis): string[] {
  const { entryCount, wordCount, speakers, firstSecond, lastSecond } = record
  if (entryCount === 0) return []
  const facts = [`The record holds ${withCount(entryCount, 'entry')} with ${withCount(wordCount, 'word')} in all.`]
  if (speakers.length === 1)
    facts.push('All of it comes from one person, so no exchange between people can be described.')
  if (wordCount < 150)
    facts.push(
      'That is less than a minute of ordinary speech, so there is little to summarize and much that may be missing.',
    )
  else if (wordCount < 600)
    facts.push('That is no more than a few minutes of ordinary speech, so this summary stays close to the record.')
  if (firstSecond !== null && lastSecond !== null && lastSecond > firstSecond) {
    facts.push(`Between the first and the last time mark lie ${withCount(lastSecond - firstSecond, 'second')}.`)
  } else facts.push('The time marks of the entries do not tell how long the meeting took.')
  const questions = speakers.reduce((sum, { questionsAsked }) => sum + questionsAsked, 0)
  facts.push(
    questions === 0
      ? 'No question is marked as such in the record.'
      : `The record marks ${withCount(questions, 'question')} by a question mark.`,
  )
  if (topics.length === 0) facts.push('No word was repeated or stood out enough to be named as a topic.')
  if (outcomes.decisions.length === 0)
    facts.push('A decision is listed only when it was stated or a proposal was accepted in so many words.')
  if (outcomes.actionItems.length === 0)
    facts.push('An action item is listed only when somebody promised it or was given it in so many words.')
  if (!record.language.startsWith('en'))
    facts.push(
      'Sentences are quoted in the language in which they were spoken, while the text around them is in English.',
    )
  return facts
}

const emptyRecordFacts = [
  'The meeting exists, but no entry has been added to its transcript so far.',
  'There are no speakers, no words, no questions and no times that could be counted.',
  'This may be because the meeting has not begun, because nobody recorded it, or because its entries have yet to arrive.',
  'As soon as the first entry is added, the next summary will describe it.',
  'Until then every section of this summary is empty on purpose, and nothing has been made up to fill it.',
  'A transcript can be added entry by entry during the meeting or imported as a file afterwards.',
  'Each entry needs a speaker, a text and a time, and from then on each person who spoke has a part of their own here.',
]

const method = [
  'This summary was made from the transcript alone, without any other source.',
  'No language model took part in it, and nothing was sent to another service.',
  'Sentences are chosen by how much the rest of the meeting speaks of the same matter, by the weight of their words, and by how well they read alone.',
  'Sounds such as coughs, fillers such as hesitations, and words said twice in a row are left out of what is quoted.',
  'Everything else that is quoted stands in the transcript word for word.',
  'Each sentence names the entries on which it rests, so that a reader can go back to what was really said.',
  'Shares of words are counted over the whole record and say how much somebody spoke, not how much it mattered.',
  'Markup and links are left out, and text that tries to give orders to software is counted but not quoted.',
  'The same transcript always gives the same summary.',
]

const checklist = [
  'Because the record is small, a reader may want to check a few things before relying on it.',
  'Is the transcript complete, or did the recording begin late or end early?',
  'Are all people who took part named as speakers, and are their names right?',
  'Was anything decided outside the recorded part that should be written down?',
  'Does every task that was meant to be done have an owner and a date?',
  'Is there a question that was left open and should be taken up again?',
  'Are there notes, slides or messages that belong with this meeting?',
  'Whoever was there can add what is missing to the transcript, and the summary will follow.',
  'If the meeting was meant to be short, nothing needs to be done, and this page can be read as a plain receipt of it.',
  'If it was meant to be longer, the source of the transcript is the first place to look.',
  'A second meeting on the same matter could begin with the points above.',
  'The lists of decisions, tasks and questions that come with this text hold the same facts in a form that programs can read.',
  'They are empty where the record is silent, for an empty list is more useful than a guess.',
  'Nothing in this section reports anything that a person said, and it is marked as such in the structure of the summary.',
  'It is here because a detailed summary has a promised length, which a small record alone cannot fill.',
]
