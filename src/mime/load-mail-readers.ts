import { loadHtmlParser } from './html-text.ts'

/** Loads what reads mails. The first mail would hold the event loop for longer than all others, while it is loaded. */
export async function loadMailReaders(): Promise<void> {
  await Promise.all([import('mailauth'), import('postal-mime'), import('file-type')])
  loadHtmlParser()
}
