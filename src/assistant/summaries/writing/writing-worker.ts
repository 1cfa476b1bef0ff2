import { parentPort } from 'node:worker_threads'
import { summarize } from '../summarize.ts'
import { summaryOf } from './model-summary.ts'
import { promptOf } from './prompt.ts'
import { type Prompt, requestOf, type WritingTask, type Written } from './task.ts'
import { writtenLocally } from './written.ts'

function answerTo(task: WritingTask): Written | Prompt {
  const request = requestOf(task.material)
  switch (task.kind) {
    case 'local':
      return writtenLocally(summarize(request))
    case 'prompt':
      return promptOf(request, task.inputTokensMax)
    case 'model':
      return summaryOf(task.draft, request)
  }
}

// One task at a time: the pool sends the next when this one is answered.
parentPort?.on('message', (task: WritingTask) => parentPort?.postMessage(answerTo(task)))
