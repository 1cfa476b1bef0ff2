/** What a question asks for; null where its words do not show it. */
export type QuestionType = 'number' | 'date' | 'name' | null

/** Words that ask for something, in lower case, each with a space before and behind; of scripts without spaces the letters. */
const asking: readonly (readonly [Exclude<QuestionType, null>, string])[] = [
  [
    'number',
    `how many|how much|how old|how long|how far|how large|how big|how high|how tall|percentage|percent|what number|what amount|wie viel|wie viele|wie vielen|wieviel|wieviele
    |wie alt|wie lange|wie hoch|wie groß|wie weit|prozent|prozentsatz|combien|quel pourcentage|quel âge|cuánto|cuánta|cuántos|cuántas|qué porcentaje|quanto|quanta|quanti|quante|quale percentuale
    |quantos|quantas|hoeveel|hur många|hur mycket|hvor mange|hvor meget|hvor mye|сколько|скільки|kaç|πόσο|πόσα|πόσοι|πόσες|câte|câți|câtă|كم|कितने|कितना|कितनी|bao nhiêu|多少|几个|幾|いくつ|何人|얼마|กี่|เท่าไ`,
  ],
  [
    'date',
    `when|what year|which year|what month|what day|what date|what century|what decade|wann|welchem jahr|welches jahr|welchem monat|welchem tag|welchem jahrhundert|quand|quelle année|quel jour|quelle date
    |cuándo|qué año|qué fecha|qué siglo|quando|che anno|quale anno|que ano|wanneer|welk jaar|när|vilket år|hvornår|når|hvilket år|когда|каком году|коли|якому році|ne zaman|hangi yıl|hangi yılda|πότε|când|ce an
    |متى|कब|khi nào|năm nào|什么时候|何时|哪一年|哪年|いつ|何年|언제|เมื่อใด|เมื่อไ|ปีใด|ปีไหน`,
  ],
  [
    'name',
    `who|whom|whose|where|which city|what city|what country|which country|wer|wem|wen|wessen|wo|woher|wohin|welche stadt|welches land|welchem land|welcher stadt|qui|où|quelle ville|quel pays|quién|quiénes|dónde|qué ciudad|qué país
    |chi|dove|quale città|quem|onde|wie is|wie was|waar|vem|var|hvem|hvor|кто|кого|кому|где|куда|хто|де|kim|kimin|nerede|ποιος|πού|cine|unde|من هو|أين|कौन|किसने|कहाँ|ai|ở đâu|谁|哪里|誰|どこ|누구|어디|ใคร|ที่ไหน`,
  ],
]

const types = asking.map(([type, words]) => [type, words.split('|').map((word) => word.trim())] as const)

/** "wo" and "de" are words of more than one language, so they only count at the question's beginning. */
const shortMax = 3
const isSpaced = (words: string) =>
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Devanagari}\p{M}\s]+$/u.test(words)

/** The type of a question, in any of the languages of the tables. */
export function questionType(question: string): QuestionType {
  const text = ` ${question
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `
  const asks = (word: string) => {
    if (!isSpaced(word)) return text.includes(word)
    return word.length <= shortMax ? text.startsWith(` ${word} `) : text.includes(` ${word} `)
  }
  return types.find(([, words]) => words.some(asks))?.[0] ?? null
}

const numberWords = new Set(
  `two three four five six seven eight nine ten eleven twelve hundred thousand million billion half zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
  hundert tausend millionen milliarden deux trois quatre cinq six sept huit neuf dix cent mille millions dos tres cuatro cinco seis siete ocho nueve diez cien mil millones
  due tre quattro cinque sei sette otto nove dieci cento mila milioni dois três quatro sete oito nove dez cem milhões twee drie vier vijf zes zeven acht negen tien
  два две три четыре пять шесть семь восемь девять десять сто тысяч миллионов`.split(/\s+/),
)

/** 0 to 1: whether a sentence has something that a question of this type asks for, which the question itself does not name. */
export function answersType(type: QuestionType, sentence: string, question: string): number {
  if (type === null) return 0
  if (type === 'name') return findNames(sentence).some((name) => !question.includes(name)) ? nameWorth : 0
  const numbers = (sentence.match(/\p{N}[\p{N}.,]*/gu) ?? []).filter((it) => !question.includes(it))
  if (type === 'date') return numbers.some((it) => /^\p{Nd}{4}(?!\p{N})/u.test(it)) ? 1 : numbers.length > 0 ? 0.7 : 0
  const isWritten = () => (sentence.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => numberWords.has(word))
  return numbers.length > 0 || isWritten() ? 1 : 0
}

/** Most sentences have a name, so that one shows less than a number does. */
const nameWorth = 0.7

/** Words with a capital that no sentence begins with. Scripts without capitals have none. */
const findNames = (text: string) =>
  [...text.matchAll(/[\p{Ll},] {1,3}(\p{Lu}[\p{L}\p{M}]+)/gu)].map(([, name = '']) => name)

/** Names and numbers in a question, in lower case: an answer that lacks them is about something else. */
export function emphasizedWords(question: string): Set<string> {
  const names = findNames(question)
  const numbers = question.match(/\p{N}[\p{N}\p{L}]*/gu) ?? []
  return new Set([...names, ...numbers].map((word) => word.toLowerCase()))
}
