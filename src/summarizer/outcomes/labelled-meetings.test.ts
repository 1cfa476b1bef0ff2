import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, languages, readLabelled } from '../../../test/meetings/outcomes/labels.ts'
import { summarize } from '../summarize.ts'

const percent = (part: number, whole: number) => (100 * part) / whole

for (const language of languages) {
  test(`decisions and tasks of a ${language} meeting are those that a reader finds`, () => {
    const { transcript, labels } = readLabelled(language)
    const { decisions, actionItems } = summarize({ title: '', transcript, mode: 'short', personality: 'neutral' })
    const sure = <T extends { confidence: string }>(items: T[]) =>
      items.filter(({ confidence }) => confidence === 'high')
    const hits = compare({ decisions: sure(decisions), actionItems: sure(actionItems) }, labels)
    assert.ok(percent(hits.decisions.right, hits.decisions.found) >= 75, 'wrong decisions')
    assert.ok(percent(hits.decisions.seen, hits.decisions.made) >= 40, 'missing decisions')
    assert.ok(percent(hits.tasks.right, hits.tasks.found) >= 70, 'wrong tasks')
    assert.ok(percent(hits.tasks.seen, hits.tasks.made) >= 45, 'missing tasks')
  })
}
