import { answerInWorker } from '../../kernel/worker-pool.ts'
import { BadSvg, type CleanSvg, cleanSvg } from './svg-clean.ts'

/** What is wrong with a drawing is told as text: an error's class does not reach another thread. */
export type CleanedSvg = CleanSvg | { problem: string }

answerInWorker((source: string): CleanedSvg => {
  try {
    return cleanSvg(source)
  } catch (error) {
    if (error instanceof BadSvg) return { problem: error.message }
    throw error
  }
})
