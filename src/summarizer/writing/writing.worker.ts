// The worker of the writer: a task in, its answer out.

import { answerInWorker } from '../../workers/answer-in-worker.ts'
import type { Prompt } from '../model/prompt.ts'
import { summaryPrompt } from '../model/prompt.ts'
import { summaryFromDraft } from '../model/summary-from-draft.ts'
import { summarize } from '../summarize.ts'
import { fromLocalEngine } from '../written-summary.ts'
import { limitTranscript } from './limit-transcript.ts'
import { decodeRequest, type WriterAnswer, type WritingTask } from './task.ts'

function runTask(task: WritingTask): WriterAnswer | Prompt {
  const { request, isExcerpt, whole } = limitTranscript(decodeRequest(task.material))
  switch (task.kind) {
    case 'local':
      return { ...whole(fromLocalEngine(summarize(request))), isExcerpt }
    case 'prompt': {
      const prompt = summaryPrompt(request, task.inputTokensMax)
      return { ...prompt, isExcerpt: isExcerpt || prompt.isExcerpt }
    }
    case 'model':
      return { ...whole(summaryFromDraft(task.draft, request)), isExcerpt }
  }
}

answerInWorker(runTask)
