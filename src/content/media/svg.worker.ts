import { answerInWorker } from '../../workers/answer-in-worker.ts'
import { BadSvg, type CleanSvg, cleanSvg } from './svg-clean.ts'

/** Problems are passed as text, because an error loses its class between processes. */
export type CleanedSvg = CleanSvg | { problem: string }

answerInWorker((source: string): CleanedSvg => {
  try {
    return cleanSvg(source)
  } catch (error) {
    if (error instanceof BadSvg) return { problem: error.message }
    throw error
  }
})
