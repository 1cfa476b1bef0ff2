import type { Handlers, Outcome, Process } from '../processing.ts'
import { readDelivery } from '../readers/read-delivery.ts'

/** Reads a delivery and calls the handler for its content. Throws Unprocessable where it cannot be read. */
export function deliveryProcessor(handlers: Handlers): Process {
  return async (received) => {
    const content = await readDelivery(received)
    if (content.kind === 'email.received') return handlers.mail(received, content)
    return async (tx) => {
      switch (content.kind) {
        case 'ignored':
          return content
        case 'comment':
          return ignored(`A comment on ${content.key} does not change a task.`)
        case 'notification':
        case 'integration.hint':
          return (await handlers.integrationHint(tx, received, content))
            ? { kind: 'processed', effects: [] }
            : ignored('No integration reads there.')
        case 'bot.hint':
          return (await handlers.botHint(tx, content))
            ? { kind: 'processed', effects: [] }
            : ignored('No bot of this vendor has this id, or it is over.')
        case 'email.report':
          return handlers.mailReport(tx, received, content)
        case 'chat.mention':
          return handlers.mention(tx, received, content)
        default:
          return handlers.issue(tx, received, content)
      }
    }
  }
}

function ignored(reason: string): Outcome {
  return { kind: 'ignored', reason }
}
