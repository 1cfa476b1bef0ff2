import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenIn } from '../../../test/meetings/written.ts'
import { summarize } from '../summarize.ts'

const tasks = (lines: string) =>
  summarize({ title: '', transcript: spokenIn(lines), mode: 'short', personality: 'neutral' }).actionItems.map(
    ({ text }) => text,
  )
const named = (lines: string) => lines.replaceAll('\n', ' / ')

for (const [lines, expected] of [
  [
    "Ann: You'll be sent a transcript to check for accuracy.\nBen: Thanks.",
    "You'll be sent a transcript to check for accuracy",
  ],
  [
    'Ann: You two are going to work together on a prototype.\nBen: Okay.',
    'You two are going to work together on a prototype',
  ],
  ['Ann: You have to work on the component concept.\nBen: Okay.', 'You have to work on the component concept'],
  ['Ben: It is round.\nAnn: Kate will be working on the shape.\nBen: Okay.', 'Kate will be working on the shape'],
  ['Ann: You will look into the technical design.\nBen: Okay.', 'You will look into the technical design'],
  [
    'Ann: How many were there?\nBen: I will get more details from the office.',
    'I will get more details from the office',
  ],
] as const)
  test(`what somebody promises or is given is a task: ${named(lines)}`, () =>
    assert.deepEqual(tasks(lines), [expected]))

for (const lines of [
  "Ann: But if you're watching a film, the light goes out.\nBen: Nice.",
  "Ann: When you're looking at the best features, it is cheap.\nBen: Yes.",
  'Ann: Would you like to plug in your laptop?\nBen: Yes.',
  'Ann: Would you have to leave it by the window?\nBen: Yeah.',
  "Ann: We're going to be here at eight o'clock.\nBen: Yes.",
  "Ann: I'll just write down the name of the animal.\nBen: Fine.",
  'Ann: They and we are going to work together in the future.\nBen: Good.',
])
  test(`what happens in the room or is a rule is no task: ${named(lines)}`, () => assert.deepEqual(tasks(lines), []))
