import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDraft } from './check-draft.ts'

test('what a model says of a person is kept, with an office in the name and without', () => {
  const speaker = 'Ann Lee (Minister)'
  const transcript = [{ speaker, text: 'The new harbour opens on the third of June.', timestamp: '' }]
  const item = { text: 'The new harbour opens on the third of June.', entries: [1] }
  const draft = { topics: [], sentences: [], decisions: [], actionItems: [], questions: [] }
  for (const name of [speaker, 'Ann Lee']) {
    const contributions = [{ ...item, speaker: name }]
    const checked = checkDraft(
      { ...draft, contributions },
      { title: '', transcript, mode: 'short', personality: 'neutral' },
    )
    assert.deepEqual([...checked.contributions.keys()], ['Ann Lee'])
  }
})
