// node posting.ts <addresses as JSON>
// Sends one message to each as deliveries are sent, with every name at this computer, and prints how each try ended.
import { createSender } from '../../src/webhooks/attempts/send.ts'

const urls = JSON.parse(process.argv[2] ?? '[]') as string[]
const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
const send = createSender({ allowedHosts: 'any', timeoutMs: 20_000, resolve })
const { signal } = new AbortController()
const outcomes: string[] = []
for (const url of urls) {
  const { result } = await send({ url, headers: { 'webhook-id': 'one' }, body: '{}', now: new Date(), signal })
  outcomes.push(result)
}
process.stdout.write(JSON.stringify(outcomes))
