import { type AdminGroups, AtriumAdmin } from '@atrium/sdk/admin'
import { useEffect, useState } from 'react'
import { CopyText } from './copy-text.tsx'
import { words } from './words.ts'

/** `tenants.create`, and every other method of the SDK. */
export type SdkMethod = {
  [Group in keyof AdminGroups]: `${Group}.${string & keyof AdminGroups[Group]}`
}[keyof AdminGroups]

type Props = { method: SdkMethod; input?: object }

/** The same request for a terminal and for a program. The key is a placeholder: the page does not have one. */
export function ShowRequest({ method, input = {} }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="request" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{words.showRequest}</summary>
      {isOpen && <Request method={method} input={input} />}
    </details>
  )
}

function Request({ method, input }: Required<Props>) {
  const [curl, setCurl] = useState('')
  const given = JSON.stringify(input)
  useEffect(() => {
    void curlOf(method, JSON.parse(given)).then(setCurl)
  }, [method, given])
  return (
    <>
      <CopyText label={words.curl} text={curl} />
      <CopyText label={words.sdk} text={`await atrium.${method}(${given === '{}' ? '' : sdkInput(input)})`} />
    </>
  )
}

/** Asked of the SDK itself, with a `fetch` that sends nothing. */
async function curlOf(method: SdkMethod, input: object): Promise<string> {
  const [group = '', name = ''] = method.split('.')
  const { promise, resolve } = Promise.withResolvers<string>()
  const fetch = (async (url: string, { method: verb = 'GET', body }: RequestInit = {}) => {
    resolve(curlText(verb, url, typeof body === 'string' ? body : null))
    return new Promise(() => undefined)
  }) as typeof globalThis.fetch
  const atrium = new AtriumAdmin({ baseUrl: location.origin, fetch })
  const groups = atrium as unknown as Record<string, Record<string, (input: object) => unknown>>
  try {
    const asked = groups[group]?.[name]?.(input) as { page?: () => Promise<unknown>; catch?: (act: () => void) => void }
    if (asked.page) void asked.page()
    else asked.catch?.(() => undefined)
  } catch {
    return ''
  }
  return promise
}

function curlText(verb: string, url: string, body: string | null): string {
  const lines = [`curl${verb === 'GET' ? '' : ` -X ${verb}`} '${quoted(url)}'`, `  -H "X-Admin-Key: $ADMIN_KEY"`]
  if (body !== null) lines.push(`  -H 'Content-Type: application/json'`, `  -d '${quoted(body)}'`)
  return lines.join(' \\\n')
}

const quoted = (text: string) => text.replaceAll("'", String.raw`'\''`)

function sdkInput(input: object): string {
  const members = Object.entries(input).filter(([, value]) => value !== undefined)
  return `{ ${members.map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll('"', "'")}`).join(', ')} }`
}
