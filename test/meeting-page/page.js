// The page of a participant. `?name=` joins at once under that name; `&host` shows the controls of a host.
import { connectPeers } from './peers.js'
import { speaker } from './speech.js'

const parameters = new URLSearchParams(location.search)
const element = (id) => document.getElementById(id)
const socket = new WebSocket(`${location.origin.replace('http', 'ws')}${location.pathname}`)
const send = (message) => socket.send(JSON.stringify(message))
const voice = speaker({ onWords: (caption) => send({ type: 'caption', ...caption }) })
const peers = connectPeers({ send, voice: () => (parameters.has('name') ? voice.stream() : null), audioFor })

const show = (stage) => {
  document.body.dataset.stage = stage
}

function join(name) {
  send({ type: 'join', name, isHost: parameters.has('host') })
}

/** The tile of a participant, which plays what he says. */
function tile({ id, name, isSelf }) {
  const made = document.createElement('div')
  made.className = 'person'
  made.id = `person-${id}`
  made.dataset.self = String(isSelf)
  const label = document.createElement('span')
  label.className = 'name'
  label.textContent = name
  const audio = document.createElement('audio')
  audio.autoplay = true
  made.append(label, audio)
  if (!parameters.has('host') || isSelf) return made
  const remove = document.createElement('button')
  remove.textContent = 'Remove'
  remove.onclick = () => send({ type: 'remove', id })
  made.append(remove)
  return made
}

function audioFor(id) {
  return document.querySelector(`#person-${CSS.escape(id)} audio`)
}

function showPeople(people) {
  for (const old of element('people').children) if (!people.some(({ id }) => old.id === `person-${id}`)) old.remove()
  for (const person of people) if (!element(`person-${person.id}`)) element('people').append(tile(person))
}

function knock({ id, name }) {
  const line = document.createElement('li')
  line.id = `knock-${id}`
  line.textContent = name
  for (const type of ['admit', 'deny']) {
    const button = document.createElement('button')
    button.className = type
    button.textContent = type
    button.onclick = () => send({ type, id })
    line.append(button)
  }
  element('knocking').append(line)
}

function showMessage({ from, text }) {
  const line = document.createElement('li')
  line.className = 'message'
  const author = document.createElement('b')
  author.textContent = from
  const words = document.createElement('span')
  words.textContent = text
  line.append(author, words)
  element('messages').append(line)
}

function showCaption({ id, name, text, isFinal }) {
  if (element('captions').hidden) return
  let line = element(`caption-${id}`)
  if (!line) {
    line = document.createElement('p')
    line.id = `caption-${id}`
    line.className = 'caption'
    line.append(document.createElement('b'), document.createElement('span'))
    element('captions').append(line)
    while (element('captions').children.length > 6) element('captions').firstElementChild.remove()
  }
  line.children[0].textContent = name
  line.children[1].textContent = text
  line.dataset.final = String(isFinal)
}

const received = {
  stage: ({ stage }) => {
    show(stage)
    if (stage === 'prejoin' && parameters.has('name')) join(parameters.get('name'))
    if (stage === 'meeting') element('host').hidden = !parameters.has('host')
    if (['removed', 'ended'].includes(stage)) peers.close()
  },
  people: ({ people, newcomer }) => {
    showPeople(people)
    peers.keep(people, newcomer)
  },
  speaking: ({ id, isSpeaking }) => {
    const person = element(`person-${id}`)
    if (person) person.dataset.speaking = String(isSpeaking)
  },
  knock,
  knocked: ({ id }) => element(`knock-${id}`)?.remove(),
  message: showMessage,
  caption: showCaption,
  signal: ({ from, signal }) => peers.signal(from, signal),
  speak: async ({ speech }) => {
    send({ type: 'speaking', isSpeaking: true })
    await voice.say(speech)
    send({ type: 'speaking', isSpeaking: false })
  },
}
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data)
  received[message.type](message)
}
socket.onclose = () => {
  if (document.body.dataset.stage === 'meeting') show('loading')
}

element('join').onclick = () => join(element('name').value)
element('leave').onclick = () => {
  send({ type: 'leave' })
  peers.close()
}
element('end').onclick = () => send({ type: 'end' })
element('captions-toggle').onclick = () => {
  element('captions').hidden = !element('captions').hidden
  element('captions-toggle').ariaPressed = String(!element('captions').hidden)
}
element('chat-toggle').onclick = () => {
  element('chat').hidden = !element('chat').hidden
  element('chat-toggle').ariaExpanded = String(!element('chat').hidden)
}
element('chat-send').onclick = () => {
  send({ type: 'message', text: element('chat-text').value })
  element('chat-text').value = ''
}
