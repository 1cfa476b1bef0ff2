import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Consent } from '../bot.rules.ts'
import type { VendorLine } from '../providers/vendor.ts'
import { linesToKeep } from './consent-windows.rules.ts'

const admittedAt = new Date('2026-11-24T10:00:00Z')
const said = (second: number, text = String(second)): VendorLine => {
  return { id: text, speaker: 'Ada', text, offsetMs: second * 1000, kind: 'speech' }
}
const wrote = (second: number, text: string): VendorLine => ({ ...said(second, text), kind: 'chat' })
const decided = (second: number, decision: Consent['decisions'][number]['decision']) => {
  return { at: new Date(admittedAt.getTime() + second * 1000).toISOString(), by: 'Ada', decision }
}

function kept(lines: VendorLine[], consent: Partial<Consent> = {}): string[] {
  const whole = {
    mode: 'notice' as const,
    message: '',
    postedAt: admittedAt.toISOString(),
    delivered: true,
    decisions: [],
  }
  const bot = { admittedAt, displayName: 'Atrium (notes)', chatAnswers: 'mention' as const }
  return linesToKeep({ ...bot, consent: { ...whole, ...consent } }, lines).map(({ text }) => text)
}

test('all that was said after the notice is kept, in its order', () => {
  assert.deepEqual(kept([said(5), said(-1), said(1)]), ['1', '5'])
  assert.deepEqual(kept([said(1)], { postedAt: null }), [])
})

test('where consent is required, what was said before somebody agreed is not kept', () => {
  const lines = [said(1), wrote(3, ' !agree '), said(5)]
  assert.deepEqual(kept(lines, { mode: 'required' }), ['5'])
  assert.deepEqual(kept([said(1)], { mode: 'required' }), [])
  assert.deepEqual(kept([said(1), said(9)], { mode: 'required', decisions: [decided(4, 'confirmed')] }), ['9'])
})

test('nothing that was said after !stop is kept, and nothing at all after !forget, however late we read it', () => {
  assert.deepEqual(kept([said(1), said(5), wrote(3, '!stop')]), ['1'])
  assert.deepEqual(kept([said(1), said(5)], { decisions: [decided(2, 'refused')] }), ['1'])
  assert.deepEqual(kept([said(1), wrote(9, '!FORGET please')]), [])
  assert.deepEqual(kept([said(1)], { decisions: [decided(2, 'forgotten')] }), [])
  assert.deepEqual(kept([said(1, '!forget said aloud')]), ['!forget said aloud'])
})

test('what is written to the bot or by it is not kept, and its own notice decides nothing', () => {
  const message = '!stop ends this.'
  const lines = [wrote(1, message), wrote(2, '!agree'), wrote(3, '@Atrium, who pays?'), wrote(4, 'Atrium pays.')]
  const own = { ...wrote(5, '!forget'), speaker: 'Atrium (notes)' }
  assert.deepEqual(kept([...lines, own, wrote(6, 'We pay.'), said(7, 'Atrium, who pays?')], { message }), [
    'We pay.',
    'Atrium, who pays?',
  ])
})
