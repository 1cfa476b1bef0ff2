import { parentPort } from 'node:worker_threads'
import { summarize } from '../summarize.ts'
import { summaryOf } from './model-summary.ts'
import { promptOf } from './prompt.ts'
import { readableOf } from './readable.ts'
import { type Prompt, requestOf, type WritingTask, type WrittenOfAll } from './task.ts'
import { writtenLocally } from './written.ts'

function answerTo(task: WritingTask): WrittenOfAll | Prompt {
  const { request, isExcerpt, whole } = readableOf(requestOf(task.material))
  switch (task.kind) {
    case 'local':
      return { ...whole(writtenLocally(summarize(request))), isExcerpt }
    case 'prompt': {
      const prompt = promptOf(request, task.inputTokensMax)
      return { ...prompt, isExcerpt: isExcerpt || prompt.isExcerpt }
    }
    case 'model':
      return { ...whole(summaryOf(task.draft, request)), isExcerpt }
  }
}

// One task at a time: the pool sends the next when this one is answered.
parentPort?.on('message', (task: WritingTask) => parentPort?.postMessage(answerTo(task)))
