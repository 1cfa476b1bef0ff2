// The first script of every page: takes a sign-in link out of the address, asks who is signed in, and shows the form or
// starts the console.
import './enter.css'
import { currentSession, type Refusal, type Session, signIn } from '../doors/session.ts'
import { applyTheme } from '../shell/theme.ts'
import { isPseudo } from '../words/catalog.ts'
import { words } from './words.ts'

const link = takeLink()
applyTheme()
if (isPseudo) document.documentElement.dir = 'rtl'
const answered = enter()
// The page for browsers with a session has asked for the files already. Who comes without needs the form first.
const isExpected = link !== null || 'session' in document.documentElement.dataset
const loaded = isExpected ? import('../app.tsx') : null
const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind
let isStarted = false
// A link from another site brings no cookie, though there may be a session: then the form gives way to the console.
if (!isExpected) showForm()
const session = await answered
if (session) await start(session)
else if (isExpected) showForm()

/** Before anything else, so that neither the history nor an error report has it. */
function takeLink(): string | null {
  const found = /^#link=(.+)$/.exec(location.hash)
  if (!found) return null
  history.replaceState(null, '', location.pathname + location.search)
  return decodeURIComponent(found[1] ?? '')
}

async function enter(): Promise<Session | null> {
  if (link === null) return currentSession()
  const answer = await signIn({ link })
  if ('session' in answer) return answer.session
  showRefusal(answer.code === 'INVALID_CREDENTIALS' ? words.linkRefused : explain(answer))
  return currentSession()
}

async function start(session: Session): Promise<void> {
  const { startConsole } = (await loaded?.catch(() => null)) ?? (await import('../app.tsx'))
  if (isStarted) return
  isStarted = true
  startConsole(element('root'), session)
}

function showForm(): void {
  element('enter').hidden = false
  // Fetched while the key is typed, once the form can be seen.
  requestAnimationFrame(() => setTimeout(() => void import('../app.tsx').catch(() => null)))
  const form = element<HTMLFormElement>('enter-form')
  const input = element<HTMLInputElement>('admin-key')
  const button = element<HTMLButtonElement>('enter-button')
  input.focus()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (input.value === '') return showRefusal(words.keyMissing)
    button.disabled = true
    showRefusal('')
    const answer = await signIn({ adminKey: input.value.trim() })
    button.disabled = false
    if ('session' in answer) return start(answer.session)
    showRefusal(explain(answer))
    input.select()
  })
}

function showRefusal(text: string): void {
  element('enter-error').textContent = text
}

function explain({ code, detail, retryAfterSeconds }: Refusal): string {
  if (code === 'INVALID_CREDENTIALS') return words.keyRefused
  if (code === 'RATE_LIMITED') return words.tooManyAttempts(retryAfterSeconds || 60)
  if (code === 'NETWORK_ERROR') return words.noAnswer
  if (code === 'INSECURE_TRANSPORT') return words.insecureTransport
  return detail ?? words.signInFailed(code)
}
