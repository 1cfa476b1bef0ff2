import type { Handlers, Outcome, Process } from '../processing.ts'
import { readDelivery } from '../readers/read-delivery.ts'

/** Reads a delivery and hands it to whoever handles what it says. Throws Unprocessable for what cannot be read. */
export function deliveryProcessing(handlers: Handlers): Process {
  return async (tx, received) => {
    const form = readDelivery(received)
    switch (form.kind) {
      case 'ignored':
        return form
      case 'comment':
        return ignored(`A comment on ${form.key} changes no task.`)
      case 'notification':
        return ignored(`No calendar is connected that could be asked about ${form.resources.length} changes.`)
      case 'email.received':
        return handlers.mail(tx, received, form)
      case 'chat.mention':
        return handlers.mention(tx, received, form)
      default:
        return handlers.issue(tx, received, form)
    }
  }
}

function ignored(reason: string): Outcome {
  return { kind: 'ignored', reason }
}
