import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { getConstructionPlans } from 'pg-boss'

const migration = new URL('../../migrations/0002_jobs.sql', import.meta.url)

test('the tables of the queue are those of the installed pg-boss', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.resolve('pg-boss')), 'utf8'))
  const text = readFileSync(migration, 'utf8')
  const ofPgBoss = text.slice(0, text.indexOf('-- Ours, from here on.')).replace(/^--.*\n/gm, '')
  const planned = getConstructionPlans('jobs', { createSchema: true }).replace(/^\s*BEGIN;|COMMIT;\s*$/g, '')
  assert.equal(
    words(ofPgBoss),
    words(planned),
    `pg-boss ${version} plans other tables than migrations/0002_jobs.sql has: docs/jobs.md says what to do`,
  )
})

function words(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ')
}
