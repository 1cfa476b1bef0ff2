const socket = new WebSocket(`${location.origin.replace('http', 'ws')}${location.pathname}`)
const send = (message) => socket.send(JSON.stringify(message))
const root = document.getElementById('react')
const find = (selector) => document.querySelector(selector)
let ownName = ''

function show(id) {
  root.replaceChildren(document.getElementById(id).content.cloneNode(true))
}

function notify(key, text) {
  const note = document.createElement('div')
  note.dataset.testid = key
  note.textContent = text
  document.body.append(note)
}

/** Jitsi sends a message at Enter, and has no label for a listener's own tile. */
function openChat() {
  if (find('#sideToolbarContainer')) return
  find('#side').append(document.getElementById('chat').content.cloneNode(true))
  for (const message of messages) addMessage(message)
  find('#chat-input').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    send({ type: 'message', text: event.target.value })
    event.target.value = ''
  })
}

const messages = []
function addMessage({ from, text }) {
  const group = document.createElement('div')
  group.className = 'chatmessage-wrapper'
  const name = document.createElement('div')
  name.className = 'display-name'
  name.textContent = from
  const words = document.createElement('div')
  words.className = 'usermessage'
  words.textContent = text
  group.append(name, words)
  find('#chatconversation')?.append(group)
}

function enter() {
  show('conference')
  find('[aria-label="Open chat"]').onclick = openChat
  find('[aria-label="Leave the meeting"]').onclick = () => send({ type: 'leave' })
  find('[aria-label="Start / Stop subtitles"]').onclick = () => {
    find('.transcription-subtitles').hidden = false
  }
}

const stages = {
  prejoin: () => {
    show('prejoin')
    find('[data-testid="prejoin.joinMeeting"]').onclick = () => {
      ownName = find('#premeeting-name-input').value
      // A room with a lobby asks a second time.
      send({ type: 'join', name: ownName })
    }
  },
  waiting: () => show('knocking'),
  meeting: enter,
  denied: () => notify('lobby.joinRejectedMessage', 'Your join request was rejected by a moderator.'),
  removed: () => {
    root.replaceChildren()
    notify('dialog.kickTitle', 'Ouch! You were kicked from the meeting')
  },
  ended: () => {
    root.replaceChildren()
    notify('dialog.sessTerminated', 'The meeting has been terminated')
  },
  'sign-in': () => notify('dialog.WaitingForHostTitle', 'Waiting for the host. Log-in'),
}

function showPeople(people) {
  const others = people.filter(({ isSelf }) => !isSelf)
  find('#remoteVideos').replaceChildren(
    ...others.map(({ id, name }) => {
      const tile = document.createElement('span')
      tile.id = `participant_${id}`
      tile.className = 'videocontainer'
      const label = document.createElement('span')
      label.id = `participant_${id}_name`
      label.textContent = name
      tile.append(label)
      return tile
    }),
  )
}

const received = {
  stage: ({ stage }) => stages[stage]?.(),
  people: ({ people }) => showPeople(people),
  speaking: ({ id, isSpeaking }) =>
    find(`#participant_${CSS.escape(id)}`)?.classList.toggle('dominant-speaker', isSpeaking),
  message: (message) => {
    messages.push(message)
    addMessage(message)
  },
  caption: ({ id, name, text }) => {
    const box = find('.transcription-subtitles')
    if (!box || box.hidden) return
    let line = find(`#${CSS.escape(id)}`)
    if (!line) {
      line = document.createElement('p')
      line.id = id
      line.append(document.createElement('span'))
      box.append(line)
      setTimeout(() => line.remove(), 15_000)
    }
    line.firstElementChild.textContent = `${name}: ${text}`
  },
}
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data)
  received[message.type]?.(message)
}
