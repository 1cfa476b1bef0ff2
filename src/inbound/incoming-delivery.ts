import { type FormFields, fieldText, readBufferedForm } from '../http/uploads/buffered-form.ts'
import { once } from '../kernel/once.ts'
import { type JsonObject, parseJsonObject } from './json.ts'
import { readJsonObject } from './large-json.ts'

/** A request as it came. Header names are in lower case; a header that came more than once is a list. */
export type RawDelivery = {
  body: Buffer
  /** Lower case, without parameters. The whole value is in `headers`. */
  contentType: string
  headers: Record<string, string | string[] | undefined>
  query: Record<string, string | undefined>
}

/** A request whose body is parsed when somebody first needs it, and not a second time. */
export type IncomingDelivery = RawDelivery & {
  /** The body as a JSON object, whatever its type says; null for anything else. Of a large one without long texts. */
  json(): Promise<JsonObject | null>
  /** The same, or the JSON object in the field `payload` of an urlencoded form. GitHub and Slack send both. */
  payload(): Promise<JsonObject | null>
  /** The body as a form, with all its fields or with these alone; null where it is no form. */
  form(names?: readonly string[]): Promise<FormFields | null>
}

/** Larger bodies are mails, and none of their providers sends `payload` as a field. */
const formWithPayloadBytesMax = 1024 * 1024

export function incomingDelivery(raw: RawDelivery): IncomingDelivery {
  const { body, contentType, headers } = raw
  const header = headers['content-type']
  const isMultipart = contentType === 'multipart/form-data' && typeof header === 'string'
  const formType = isMultipart ? header : contentType
  const forms = new Map<string, Promise<FormFields | null>>()
  const form = (names: readonly string[] = []) => {
    const key = names.join()
    const parsed = forms.get(key) ?? readBufferedForm({ body, contentType: formType }, { names })
    forms.set(key, parsed)
    return parsed
  }
  const json = once(() => readJsonObject(body))
  const payload = once(async () => {
    if (contentType !== 'application/x-www-form-urlencoded') return json()
    const fields = body.length <= formWithPayloadBytesMax ? await form() : null
    return parseJsonObject(fields && fieldText(fields, 'payload'))
  })
  return { ...raw, json, payload, form }
}
