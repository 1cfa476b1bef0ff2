import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { spokenIn } from '../../../test/meetings/written.ts'
import { summarize } from '../summarize.ts'

const heard = (lines: string) =>
  summarize({ title: 'A meeting', transcript: spokenIn(lines), mode: 'short', personality: 'neutral' })
const decided = (lines: string) => heard(lines).decisions.map(({ text }) => text)
const tasks = (lines: string) => heard(lines).actionItems.map(({ text, owner, due }) => [text, owner, due])
const asked = (lines: string) => heard(lines).questions.map(({ text }) => text)
const named = (lines: string) => lines.replaceAll('\n', ' / ')

describe('decisions', () => {
  for (const [lines, ...expected] of [
    ['Ann: Okay, then we close the shop on Sundays.\nBen: Fine.', 'we close the shop on Sundays'],
    ["Ann: I'm for the red one.\nBen: Me too.\nAnn: Good, then we're taking the red one.", "we're taking the red one"],
    ['Ann: Does everyone like Tuesday for it?\nBen: I do.\nAnn: Tuesday it is then.', 'Tuesday it is then'],
    ['Ann: Then the fee will be four euros.\nBen: Four euros it is.', 'the fee will be four euros'],
    ["Ann: Why don't we sell the old van?\nBen: Works for me.", "Why don't we sell the old van"],
    [
      'Ann: How about a quiz in the break?\nBen: I agree. Let us replace the speech with a quiz.',
      'Let us replace the speech with a quiz',
    ],
    [
      'Ann: I move that we repair the pool.\nBen: Second.\nCy: It is old.\nDee: It leaks.\nBen: Badly.\nCy: Every day.\nDee: Yes.\nChair: The motion carries.',
      'I move that we repair the pool',
    ],
    ['Ann: Nous avons décidé de fermer le bureau en août.', 'Nous avons décidé de fermer le bureau en août'],
    ['Ana: Propongo que compremos otra mesa.\nLuis: Sí, de acuerdo.', 'Propongo que compremos otra mesa'],
    ['Anke: Wir mieten den großen Saal.\nBernd: Einverstanden.', 'Wir mieten den großen Saal'],
    ['Ann: The wooden case is definitely out.\nBen: It was pretty.', 'The wooden case is definitely out'],
    ["Ann: We're going for a titanium back.\nBen: Yes.", "We're going for a titanium back"],
    ['Ann: We will omit the touch screen.\nBen: It costs too much.', 'We will omit the touch screen'],
    ['Ann: We take a normal battery.\nBen: Yes.\nCy: Right.', 'We take a normal battery'],
    [
      "Ann: Why don't we alternate the chairs each month?\nBen: I think that's a great idea.",
      "Why don't we alternate the chairs each month",
    ],
    ['Chair: Four are in favour, so amendment two is agreed.', 'Four are in favour, so amendment two is agreed'],
  ] as const) {
    test(`a conclusion of the discussion is a decision: ${named(lines)}`, () =>
      assert.deepEqual(decided(lines), expected))
  }

  for (const lines of [
    'Ann: I move that we sell the pool.\nBen: Seconded.\nChair: Two in favor, five opposed. The motion fails.',
    'Ann: We decided last year to keep the pool.',
    'Ann: The last time we agreed on a rule it was forgotten, if we agreed at all.',
    'Ann: Great decision by whoever it was.',
    "Ann: Imagine we'd decided that a year ago.\nBen: Agreed.",
    'Ann: We could just decide to work at night.\nBen: Agreed.',
    "Ann: Let's talk about it next week.\nBen: Agreed.",
    'Ann: Okay, we had three visitors.\nBen: Good.',
    'Ann: So we keep the money in a box.\nBen: Yeah.',
    "Ann: We're going for a titanium back.\nBen: No, that is too heavy.",
    'Ann: We take a normal battery.\nBen: Yes.\nCy: No.',
    "Ann: We're going for lunch.\nBen: Yes.",
    'Anke: Wenn wir uns anders entschieden hätten, gäbe es das nicht.',
    "Ann: It is cheap because we've chosen to keep the old motor.\nBen: Good.",
    'Ann: Here you see the curve which we decided on.\nBen: Nice.',
    'Ann: There was no decision made on the colour.',
    'Ann: Over a thousand loans have been approved by the banks.',
    'Ann: You cannot force parents to tell that a child is adopted.',
    "Ann: Let's move to the presentations.\nBen: Okay.",
    'Ann: My personal preference is out.\nBen: Yes.',
  ]) {
    test(`what failed, happened earlier or is only imagined is no decision: ${named(lines)}`, () =>
      assert.deepEqual(decided(lines), []))
  }

  for (const [lines, ...expected] of [
    [
      "Ann: Then we leave the garden out of this sprint.\nBen: Yes please.\nAnn: Let's postpone the kitchen to the next sprint.\nBen: Fine.",
      'we leave the garden out of this sprint',
      "Let's postpone the kitchen to the next sprint",
    ],
    ["Ann: Let's go with the blue door.\nBen: Agreed.\nAnn: Forget the blue door, it costs too much."],
    [
      'Ann: We decided on the third of June.\nBen: Wait, that is a holiday.\nAnn: Okay, then we move it from the third of June to the tenth.\nBen: Fine.',
      'we move it from the third of June to the tenth',
    ],
    [
      "Ann: Let's go with the barn.\nBen: Agreed.\nAnn: Forget the barn, we'll go with the church.\nBen: Hm, the church is cold.\nAnn: So we're back to the barn?\nBen: Yes.\nAnn: Final decision: the barn, with heaters.",
      'Final decision: the barn, with heaters',
    ],
    ["Ann: We'll go with the barn.\nBen: Don't forget the barn has no heating.", "We'll go with the barn"],
  ] as const) {
    test(`only decisions that still hold at the end are listed: ${named(lines)}`, () =>
      assert.deepEqual(decided(lines), expected))
  }
})

test('a short decision about "it" is joined with the next sentence of its entry', () => {
  const lines = 'Ann: The alarm is optional.\nBen: Then we make it mandatory. Every van gets an alarm.\nAnn: Good.'
  assert.deepEqual(decided(lines), ['we make it mandatory; every van gets an alarm'])
})

describe('action items', () => {
  for (const [lines, ...expected] of [
    ['Ann: Can you call the plumber?\nBen: Sure.\nCy: Good.', 'Can you call the plumber', 'Ben', undefined],
    [
      'Ann: Ben, can you order the paint?\nBen: Yes, I can do that on Monday.',
      'Ben, can you order the paint',
      'Ben',
      'on Monday',
    ],
    [
      'Ann: Who is writing the invitation?\nBen: No idea.\nCy: I can do it.',
      'Who is writing the invitation',
      'Cy',
      undefined,
    ],
    [
      'Ann: Somebody needs to clean the van.\nBen: I will do that tomorrow.\nCy: Good.',
      'Somebody needs to clean the van',
      'Ben',
      'tomorrow',
    ],
    [
      'Ann: I can ask the bakery for bread.\nBen: Please do.\nCy: Yes.',
      'I can ask the bakery for bread',
      'Ann',
      undefined,
    ],
    [
      'Ann: I will work out the rules for the next meeting.\nBen: Good.',
      'I will work out the rules for the next meeting',
      'Ann',
      'for the next meeting',
    ],
    ['Ann: I have to email the caretaker.\nBen: Yes.', 'I have to email the caretaker', 'Ann', undefined],
    ["Ann: Let's have Ben check the oven.\nBen: Fine.", "Let's have Ben check the oven", 'Ben', undefined],
    [
      'Ann: AI for Ben: get the keys back from the caretaker.\nBen: Okay.',
      'AI for Ben: get the keys back from the caretaker',
      'Ben',
      undefined,
    ],
    [
      'Ann: Ben, please order the flour.\nBen: When?\nAnn: By Thursday, please.',
      'Ben, please order the flour',
      'Ben',
      'By Thursday',
    ],
    ['Ann: The volunteers need a list. I will do that tonight.', 'The volunteers need a list', 'Ann', 'tonight'],
    [
      "Ann: I'm gonna move the chairs to the hall today.",
      "I'm gonna move the chairs to the hall today",
      'Ann',
      'today',
    ],
    [
      'Chair Lee: Ms. Oh, please report to us on the roof.\nTreasurer Oh: Yes.',
      'Ms Oh, please report to us on the roof',
      'Treasurer Oh',
      undefined,
    ],
    [
      'Chair Lee: The treasurer will publish the figures by May 20.\nTreasurer Oh: Yes.',
      'The treasurer will publish the figures by May 20',
      'Treasurer Oh',
      'by May 20',
    ],
    [
      'SPEAKER_01: We need new locks.\nSPEAKER_02: I will order the new locks.',
      'I will order the new locks',
      'SPEAKER_02',
      undefined,
    ],
    [
      'Anke: Ich rufe die Bank am Montag an.\nBernd: Gut, das ist wichtig.',
      'Ich rufe die Bank am Montag an',
      'Anke',
      'am Montag',
    ],
    [
      'Anke: Bernd, kannst du bitte den Saal buchen?\nBernd: Ja, mache ich.',
      'Bernd, kannst du bitte den Saal buchen',
      'Bernd',
      undefined,
    ],
    [
      'Ana: Luis, ¿puedes llamar al banco?\nLuis: Claro, lo hago esta semana.',
      'Luis, ¿puedes llamar al banco',
      'Luis',
      'esta semana',
    ],
    [
      'Anne: Je vais appeler la mairie demain matin.\nLuc: Très bien, merci à toi.',
      'Je vais appeler la mairie demain matin',
      'Anne',
      'demain matin',
    ],
    [
      'Project Manager: the industrial designer will prepare the list of parts.\nIndustrial Designer: Okay.',
      'the industrial designer will prepare the list of parts',
      'Industrial Designer',
      undefined,
    ],
    ["Ann: I think I'll write the report.\nBen: Good.", "I think I'll write the report", 'Ann', undefined],
    ["Ann: I'll ask what the hall costs.\nBen: Good.", "I'll ask what the hall costs", 'Ann', undefined],
  ] as const) {
    test(`a task has its owner and due date: ${named(lines)}`, () => assert.deepEqual(tasks(lines), [expected]))
  }

  for (const lines of [
    'Ann: Sure, and I will rewrite the whole book by tomorrow.',
    'Ann: The letter went out on Monday, so I will only go over the outline.',
    'Ann: Can you hear me now?\nBen: Yes.\nCy: Yes.',
    'Ann: Who is writing the invitation?\nBen: No idea.\nCy: Me neither.',
    'Ann: I can ask the bakery for bread.\nBen: The bakery is closed.\nCy: Right.',
    "Ann: I'm going to switch the screen off now. See you tomorrow.",
    'Ann: Could you come closer?\nBen: Yes.\nCy: Good.',
    'Ann: Could somebody call the plumber?\nBen: The plumber retired.\nCy: Oh.',
    "Ann: People go, 'Oh, I'll fill in the form now', and forget it.",
    "Ann: I'll make a note of that, Ben.\nBen: Good.",
    'Chair: I will call the minister to speak on each group.',
    'Ann: Can you hand me the pad?\nBen: Sure.',
    'Ann: I need to ask which minister is responsible for the masks.',
    'Ann: An action item is going to come up in any such meeting.',
  ]) {
    test(`what nobody took on is no task: ${named(lines)}`, () => assert.deepEqual(tasks(lines), []))
  }

  for (const speakers of [[], ['Mark'], ['Rama'], ['Rama', 'Mark']]) {
    test(`one sentence gives tasks to several people, of whom ${speakers.join(' and ') || 'nobody'} speaks`, () => {
      const spoken = speakers.map((name) => `${name}: Good evening.`)
      const lines = ['Ben: Good morning.', ...spoken, 'Ann: Rama will design the case, and Mark the user interface.']
      const owners = tasks([...lines, 'Ben: Good.'].join('\n')).map(([, owner]) => owner)
      assert.deepEqual(owners, ['Rama', 'Mark'])
    })
  }

  test('a day within a condition is no due date', () => {
    assert.deepEqual(tasks("Ann: I'll ask my uncle if he is free in December."), [
      ["I'll ask my uncle if he is free in December", 'Ann', undefined],
    ])
  })
})

describe('questions', () => {
  for (const [lines, ...expected] of [
    ['Ann: What does the new oven cost us?\nBen: I have no idea.', 'What does the new oven cost us'],
    ['Ann: What does the new oven cost us?\nBen: It costs four hundred euros.'],
    [
      'Ann: What does the new oven cost us?\nBen: Which oven do you mean exactly?\nAnn: The big one.',
      'What does the new oven cost us',
    ],
    ['Ann: Can you call the plumber today?\nBen: Hm.'],
    ["Ann: Who owns the budget?\nBen: I'm not sure.", 'Who owns the budget'],
    ['Ann: Is that all right?\nBen: Hm.'],
  ] as const) {
    test(`a question without an answer is listed: ${named(lines)}`, () =>
      assert.ok(
        expected.every((it) => asked(lines).includes(it)) && (expected.length > 0 || asked(lines).length === 0),
      ))
  }
})

describe('text of speech recognizers', () => {
  test('speech without punctuation is split into clauses and gets its apostrophes back', () => {
    const lines = `ann: okay so good morning to all of you and thank you for coming so early
ben: yeah sure so the delivery is late again and i dont think we can open before noon today
ann: then lets open at two im going to put a note on the door this morning
ben: yes lets do that and ill call the supplier tomorrow because its not the first time
ann: ben can you write down what is missing in the storage room
ben: sure i can do that`
    const { decisions, actionItems } = heard(lines)
    assert.deepEqual(
      decisions.map(({ text }) => text),
      ["let's open at two"],
    )
    assert.deepEqual(
      actionItems.map(({ text, owner }) => [owner, text]),
      [
        ['ann', "I'm going to put a note on the door this morning"],
        ['ben', "I'll call the supplier tomorrow because it's not the first time"],
        ['ben', 'ben can you write down what is missing in the storage room'],
      ],
    )
  })

  test('an opening that carries meaning stays', () => {
    const { text } = heard(
      'Ann: No fever since this morning in the whole ward of bed twelve.\nBen: Good news for the ward came from the laboratory.',
    )
    assert.match(text, /No fever since this morning/i)
    assert.match(text, /Good news for the ward/i)
  })

  test('a sentence is not quoted after a link was removed from it', () => {
    const lines = `Ann: The timeline of the outage is at https://wiki.example.com/a/b if you want to follow the timeline of the outage.
Ann: The outage of the mail server took forty minutes because the disk was full.
Ben: The disk of the mail server was full because nobody deleted the old logs.`
    assert.doesNotMatch(heard(lines).text, /timeline of the outage is at if/)
  })
})

describe('people and topics in a summary', () => {
  const detailed = (lines: string) =>
    summarize({ title: 'A meeting', transcript: spokenIn(lines), mode: 'detailed', personality: 'neutral' })

  test('a lower-case name gets a capital at the start of a sentence; other names keep their letters', () => {
    const { text } = heard(`ann: The harvest of the orchard was smaller than in the year before because of the frost.
bob2: The frost in the orchard killed most of the young trees near the river.`)
    assert.match(text, /\. Ann /)
    assert.match(text, /\. Participant bob2 /)
  })

  test('a first word loses its capital only if it is written in lower case elsewhere', () => {
    const { text } = heard(`Ann: Frost is the main problem of the orchard because the trees are young.
Ann: We lost trees in the orchard to frost in April and again in May.
Ben: Mistral is the main wind of the valley and the trees of the orchard are young.`)
    assert.match(text, /that frost is the main problem/)
    assert.doesNotMatch(text, /that Mistral is|that mistral is/)
  })

  test('a question appears once, and nobody is quoted for several', () => {
    const { text } = detailed(`Ann: Where will the new orchard of the village stand?
Ann: Which trees of the orchard can survive the frost of May?
Ann: Who of the neighbours pays for the water of the orchard?
Ben: The orchard of the village needs water in every summer and the well is dry.`)
    for (const asked of ['Where will the new orchard', 'Which trees of the orchard', 'Who of the neighbours'])
      assert.ok(text.split(asked).length <= 2, asked)
    assert.doesNotMatch(text, /(?:also asked: [^?]*\? ){2}/)
  })

  test('verbs and numbers are no topics', () => {
    const { keywords } = heard(`Ann: We freeze the orchard fund, and they freeze the orchard fund too, as I freeze mine.
Ben: The fund of the orchard has seventy thousand, and to freeze a fund is no way to water the orchard.
Ann: The well of the orchard is deep, and the well has seventy steps.`)
    assert.ok(
      keywords.indexOf('freeze') === -1 || keywords.indexOf('freeze') > keywords.indexOf('well'),
      keywords.join(),
    )
    assert.ok(!keywords.includes('seventy'))
  })

  test('moving to the next point is no main point', () => {
    const { text } = detailed(`Ann: Next, the orchard of the village.
Ben: The orchard of the village needs a deep well because the summer is dry.`)
    assert.doesNotMatch(text, /Next, the orchard/)
  })
})
