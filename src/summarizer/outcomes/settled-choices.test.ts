import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenIn } from '../../../test/meetings/written.ts'
import { summarize } from '../summarize.ts'

const decided = (lines: string) =>
  summarize({ title: '', transcript: spokenIn(lines), mode: 'short', personality: 'neutral' }).decisions.map(
    ({ text }) => text,
  )
const named = (lines: string) => lines.replaceAll('\n', ' / ')

for (const [lines, expected] of [
  ['Ann: I think we just use the regular chip.\nBen: Yeah.', 'I think we just use the regular chip'],
  ["Ann: We're still gonna use the big screen.\nBen: Okay.", "We're still gonna use the big screen"],
  ["Ann: It looks like we're going for a plastic case.\nBen: Yes.", "It looks like we're going for a plastic case"],
  ['Ann: The only option is to drop the speaker.\nBen: Yes.', 'The only option is to drop the speaker'],
  ['Ann: Okay, so no display.\nBen: No display, no.', 'no display'],
  ['Ann: I think we decided on the red door, right?\nBen: Yeah.', 'I think we decided on the red door'],
  [
    'Ann: For the wheel, are we going for the small type?\nBen: Yeah, I think so.',
    'For the wheel, are we going for the small type',
  ],
  ["Ann: Let's stick to plastic.\nBen: Okay.", "Let's stick to plastic"],
  ['Ann: The general opinion is we keep the old screen.', 'The general opinion is we keep the old screen'],
] as const)
  test(`what others say yes to is a decision: ${named(lines)}`, () => assert.deepEqual(decided(lines), [expected]))

for (const lines of [
  'Ann: I think we just use the regular chip.\nBen: No, it is too slow.',
  'Ann: I think we just use the regular chip.\nBen: How much is it?',
  'Ann: Are we going for small doors or for big ones?\nBen: Yeah.',
  'Ann: Have we decided that we are going to have a case for everybody? Or do we take one?\nBen: Yeah.',
  'Ann: Okay, so no problem.\nBen: Yeah.',
  'Ann: So no change.\nBen: No.',
  'Ann: Are we agreed to have lunch now?\nBen: Yes.',
  "Ann: You can't really see which way round it is.\nBen: Right.",
  'Ann: It is small because we decided to leave out the battery.',
  'Ann: It looks like we are going to need more clay.\nBen: Yeah.',
])
  test(`what is asked, open or only told is no decision: ${named(lines)}`, () => assert.deepEqual(decided(lines), []))
