import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { once } from '../../kernel/once.ts'
import { isStemmed, type Language, packageNames, type StemmedLanguage, stemmedLanguages } from './language.ts'

const require = createRequire(import.meta.url)

const split = (list: string) => list.split(/\s+/).filter(Boolean)

/**
 * Words that the lists of the package lack: words that ask, auxiliary verbs, and words that stand in most sentences. All in
 * lower case.
 */
const further: Partial<Record<Language, string>> = {
  en: `also many much how whose whether may might shall upon us onto within without among via per yet still else even ever
    name named called please tell explain describe`,
  de: `wer wen wem wessen warum weshalb wieso wozu womit wodurch worüber woran wofür wovon worin wie viel viele vielen lange oft heißt
    hieß heißen genannt nennt nannte wurde wurden werden worden beim ins ans vom zum zur sowie bzw dabei dafür daran darauf darin davon damit
    dazu hierbei seit durch bitte`,
  fr: `quel quelle quels quelles quoi quand comment combien où pourquoi lequel laquelle lesquels est-ce été être avoir fait
    sont était étaient ont plus très si dont lors depuis cette cet leurs celui celle ceux appelle nom nommé`,
  es: `qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde cómo por qué fue fueron ser llama nombre llamado`,
  it: `che cosa quale quali quando quanto quanta quanti quante dove come perché chi cui qual nome chiama chiamato dopo prima`,
  pt: `primeiro primeira segundo segunda que qual quais quando quanto quanta quantos quantas onde como porque quem nome chama chamado`,
  nl: `wie wat waar wanneer waarom hoe welke welk hoeveel heet naam`,
  sv: `vem vad var när varför hur vilken vilket vilka många mycket heter namn`,
  da: `hvem hvad hvor hvornår hvorfor hvordan hvilken hvilket hvilke mange meget hedder navn`,
  no: `hvem hva hvor når hvorfor hvordan hvilken hvilket hvilke mange mye heter navn`,
  ro: `cine ce care când unde cum cât câtă câți câte numele fost fi este sunt din pentru`,
  ru: `кто кого кому кем что чего чему чем какой какая какое какие каком какого когда где куда откуда сколько почему зачем как который
    которая которые был была были это называется имя`,
  uk: `і й та що хто який яка яке які коли де куди чому як скільки був була було були це не на в у з до за від про для`,
  tr: `kim kimi ne nerede neden niçin nasıl kaç hangi hangisi zaman kadar adı nedir kimdir olan olarak`,
  el: `ποιος ποια ποιο ποιοι ποιες τι πότε πού πως πώς γιατί πόσο πόσα πόσοι πόσες ήταν είναι`,
  ar: `من ما ماذا متى أين كيف لماذا كم أي هل هو هي كان كانت`,
  hi: `कौन क्या कब कहाँ कहां क्यों कैसे कितने कितना कितनी किस किसने किसे कौनसा था थी थे है हैं`,
  hu: `ki mi mikor hol miért hogyan hány melyik mennyi milyen`,
  fi: `kuka mikä milloin missä miksi miten kuinka mitä montako`,
  bg: `кой коя кое кои какво кога къде защо как колко`,
  id: `siapa apa kapan mana dimana mengapa bagaimana berapa`,
  vi: `là của và có trong được cho không một các những với này đó khi đã sẽ người ra đến từ vào ở như thì mà gì nào ai đâu sao bao nhiêu
    bởi về theo tại trên dưới để nếu hay hoặc cũng đang bị rằng vì nên chỉ rất`,
}

/** Pairs of letters and single ones, as words of these scripts are indexed. */
const unspaced: Partial<Record<Language, string>> = {
  zh: `什么 多少 哪些 哪个 哪里 哪一 何时 何地 为什 怎么 怎样 如何 是谁 谁是 几个 几年 是什 的是 了什 一个 以及 因为 所以 可以 我们 他们 这个 那个 没有
    的 是 在 了 和 与 被 有 为 对 从 于 以 及 或 谁 吗 呢 哪 几 何 这 那`,
  ja: `です ます した する いる ある これ それ どの どこ いつ だれ なに なぜ いく った って から まで こと もの よう ため には では とは`,
  ko: `무엇 누구 언제 어디 어떤 어떻 얼마 입니 니다 니까 있는 하는 했습 습니 인가 는가 나요`,
  th: `คื อะ ไร ที ใค คร เม มื อไ ไห หร รื อย ยู เป ปน ็น ขอ อง แล ละ ใน มี ว่ กา าร`,
}

/** The list of a language's words that are never a topic, in lower case. */
export function commonWords(language: Language): ReadonlySet<string> {
  return sets[language]?.() ?? none
}

/**
 * Loads the lists, one a turn of the event loop: what has to tell languages apart would hold it for 24 ms the first
 * time. A list that was not loaded here is loaded when it is first needed.
 */
export const loadCommonWords: () => Promise<void> = once(async () => {
  for (const language of spacedLanguages) {
    commonWords(language)
    await setImmediate()
  }
})

const none: ReadonlySet<string> = new Set()
const sets: Partial<Record<Language, () => ReadonlySet<string>>> = Object.fromEntries([
  ...stemmedLanguages.map((language) => [language, once(() => loadWords(language))]),
  ...(['vi', 'zh', 'ja', 'ko', 'th'] as const).map((language) => [
    language,
    once(() => new Set(split(unspaced[language] ?? further[language] ?? ''))),
  ]),
])

/** A list of the package has 30 to 800 words and loads in a millisecond. Apostrophes separate words, as in texts. */
function loadWords(language: StemmedLanguage): ReadonlySet<string> {
  const { stopwords } = require(`@orama/stopwords/${packageNames[language]}`) as { stopwords: string[] }
  const words = [...stopwords, ...split(further[language] ?? '')]
  return new Set(
    words
      .flatMap((word) =>
        word
          .normalize('NFKC')
          .toLowerCase()
          .split(/[\s'’-]+/),
      )
      .filter(Boolean),
  )
}

/** Letters that bind words. A pair with one of them is no topic: in Japanese two of Hiragana, in Chinese one of these. */
const bindingLetters: Partial<Record<Language, RegExp>> = {
  zh: /[的了是在吗呢么谁哪什们这那]/,
  ja: /^[\p{Script=Hiragana}ー]+$/u,
}

/** Whether a word, in lower case, is never a topic in this language. */
export const isCommonWord = (word: string, language: Language): boolean =>
  commonWords(language).has(word) || bindingLetters[language]?.test(word) === true

/** Languages that are told apart by their common words. */
export const spacedLanguages: readonly Language[] = [...stemmedLanguages.filter(isStemmed), 'vi']
