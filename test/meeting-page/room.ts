import { type Speech, toSpeech } from './tones.ts'

/** What a page is sent. */
export type Sent = { type: string } & Record<string, unknown>

export type Person = {
  id: string
  name: string
  isHost: boolean
  send: (message: Sent) => void
}

/** What the page shows first instead of the field for the name. */
export type Gate = 'prejoin' | 'not-found' | 'sign-in' | 'captcha' | 'host-token' | 'nothing'

export type Room = ReturnType<typeof meetingRoom>

/** A meeting: who waits, who is in, and what was written. */
export function meetingRoom(changed: () => void) {
  const people = new Map<string, Person>()
  const waiting = new Map<string, Person>()
  const messages: { from: string; text: string }[] = []
  const speeches = new Map<string, () => void>()
  const settings = { hasLobby: false, hasChat: true, gate: 'prejoin' as Gate }
  let speechCount = 0

  const all = (message: Sent) => {
    for (const person of people.values()) person.send(message)
  }
  const tellPeople = (newcomer: string | null) => {
    const list = [...people.values()]
    for (const person of list) {
      const shown = list.map(({ id, name }) => ({ id, name, isSelf: id === person.id }))
      person.send({ type: 'people', people: shown, newcomer })
    }
    changed()
  }
  const enter = (person: Person) => {
    people.set(person.id, person)
    person.send({ type: 'stage', stage: 'meeting' })
    for (const message of messages) person.send({ type: 'message', ...message })
    tellPeople(person.id)
  }
  const dismiss = (id: string, stage: string) => {
    const person = people.get(id) ?? waiting.get(id)
    if (people.delete(id)) tellPeople(null)
    if (waiting.delete(id)) all({ type: 'knocked', id })
    person?.send({ type: 'stage', stage })
    changed()
  }
  const idOf = (name: string) => {
    const found = [...people.values(), ...waiting.values()].find((person) => person.name === name)
    if (!found) throw new Error(`${name} is not there`)
    return found.id
  }
  const admit = (id: string) => {
    const person = waiting.get(id)
    if (!person) return
    waiting.delete(id)
    all({ type: 'knocked', id })
    enter(person)
  }
  const say = (from: string, text: string) => {
    messages.push({ from, text })
    all({ type: 'message', from, text })
    changed()
  }

  return {
    settings,
    messages,
    names: () => [...people.values()].map(({ name }) => name),
    knocking: () => [...waiting.values()].map(({ name }) => name),
    join: (person: Person) => {
      if (!settings.hasLobby || person.isHost) return enter(person)
      waiting.set(person.id, person)
      person.send({ type: 'stage', stage: 'waiting' })
      for (const other of people.values())
        if (other.isHost) other.send({ type: 'knock', id: person.id, name: person.name })
      changed()
    },
    admit,
    deny: (id: string) => dismiss(id, 'denied'),
    remove: (id: string) => dismiss(id, 'removed'),
    gone: (id: string) => dismiss(id, 'ended'),
    idOf,
    end: () => {
      for (const id of [...people.keys(), ...waiting.keys()]) dismiss(id, 'ended')
    },
    signal: (from: string, to: string, signal: unknown) => people.get(to)?.send({ type: 'signal', from, signal }),
    say,
    caption: (person: Pick<Person, 'name'>, caption: { id: string; text: string; isFinal: boolean }) => {
      all({ type: 'caption', name: person.name, ...caption })
      if (caption.isFinal) speeches.get(caption.id)?.()
    },
    speaking: (id: string, isSpeaking: boolean) => all({ type: 'speaking', id, isSpeaking }),
    /** Lets the page of a participant speak; resolves when its last word was heard. */
    speak: (name: string, text: string): Promise<void> => {
      const speech: Speech = toSpeech(`speech-${++speechCount}`, text)
      people.get(idOf(name))?.send({ type: 'speak', speech })
      return new Promise((resolve) => speeches.set(speech.id, resolve))
    },
  }
}
