// Data: the most common words of some languages. They show the language of a text and are never a topic.
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean))

export const stopWords: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(`a about above after again against ain all also although am an and any are aren't as at be because been before being below
    between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each either else even ever every
    few for from further had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers herself him himself his how how's
    however i i'd i'll i'm i've if in into is isn't it it'd it'll it's its itself just let let's may me might mine more most much must mustn't my
    myself neither no nor not now of off on once one only onto or other others ought our ours ourselves out over own per perhaps quite rather
    same shall shan't she she'd she'll she's should shouldn't since so some such than that that'll that's the their theirs them themselves
    then there there's these they they'd they'll they're they've this those though through thus to too under unless until up upon us very via
    was wasn't we we'd we'll we're we've were weren't what what's when when's where where's whether which while who who's whom whose why
    why's will with within without won't would wouldn't yet you you'd you'll you're you've your yours yourself yourselves
    yeah yes yep yup okay ok oh ah hmm mm mhm uh um er kay right alright well like really actually basically gonna wanna gotta dunno cause
    sort kind stuff thing things something anything everything nothing someone anyone everyone everybody somebody anybody lot lots bit maybe
    probably sure guess mean know think say said says go goes going went gone get gets getting got come comes coming came
    put puts make makes made take takes took see seen saw look looks looking want wants wanted need needs needed way got
    cuz coz lemme gimme gotcha kinda nope nah aha wow hey ya em
    two three first second good nice great fine thanks thank please hello hi bye sorry anyway etc eg ie vs`),
  de: words(`aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit dann das dass daß dein
    deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas
    euch euer für gegen gewesen guten morgen tag hab habe haben hallo hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in
    ist ja jede jeder jetzt kann kein keine können könnte machen man mehr mein meine mich mir mit mal muss müssen nach nein nicht nichts noch nun
    nur ob oder ohne schon sehr sein seine sich sie sind so soll sollen sollte sonst über um und uns unser unsere unter viel vom von vor war waren
    warum was weil welche wenn wer werde werden wie wieder will wir wird wo wollen worden wurde würde zu zum zur zwar zwischen zusammen danke bitte gut genau okay äh ähm halt eben`),
  fr: words(`à ai au aussi autre aux avant avec avoir avons bien bonjour bon c'est car ce cela ces cet cette ceux chez comme comment dans de des donc du elle
    elles en encore est et être eu faire fait il ils j'ai je jusque la là le les leur lui ma mais me même mes moi mon ne nos notre nous on ont ou où
    oui non par parce pas peu peut plus pour pourquoi qu que quel quelle qui quoi pourrait pourraient peuvent doit doivent faudrait celui celle ça ceci leurs nôtre toutes toute ainsi alors après sous entre depuis lors afin cela cet tant sa sans se sera ses si son sont sur ta te tes toi ton tous tout très
    tu un une va vais vos votre vous était merci voilà alors d'accord faut`),
  es: words(`a al algo ante antes aquí así aunque bien bueno cada como con cómo cuál cuando de del desde donde dos el él ella ellos en entonces era es esa
    ese eso esta está están este esto estos fue ha hace hacer han hasta hay he hemos hoy la las le les lo los más me mi mis mucho muy nada ni no nos nosotros
    o otra otro para pero por porque pues puede que qué quien se sea ser si sí sin sobre son soy su sus también tan te tener tenemos tiene todo todos tu tú
    un una uno unos usted va vamos y ya yo gracias hola vale buenos días`),
  it: words(`a abbiamo ad ai al alla alle allora anche ancora avere bene c'è che chi ci come con cosa cui da dai dal dalla davanti dei del della delle di
    dobbiamo dopo dove e è ecco ed era essere fa fare fatto gli ha hai hanno ho i il in io la le lei li lo loro lui ma me mi mia mio molto ne nei nel nella no
    noi non nostro o ogni oggi per perché più poi possiamo può qua quando quello questa questi questo qui sarà se sei si sì sia siamo solo sono sta stato su sua sul suo tra
    tu tutti tutto un una uno va vi voi grazie ciao buongiorno`),
  pt: words(`a ao aos as até com como da das de dela dele depois do dos e é ela ele eles em então entre era essa esse esta está estamos este eu foi for há isso isto
    já la lhe mais mas me mesmo meu minha muito na não nas nem no nos nós nosso o os ou para pela pelo pode por porque quando que quem se sem ser será seu seus sim só
    sobre são sua também te tem temos ter tudo um uma vai vamos você vocês obrigado olá bom dia`),
  nl: words(`aan al alle als ben bij daar dan dat de der deze die dit doen door dus een en er ge geen goed graag had heb hebben heeft hem het hier hij hoe hun
    iets ik in is ja je jij jullie kan kunnen maar me meer met mij mijn moet moeten na naar nee niet nog nu of om omdat onder ons ook op over te toch toen tot u
    uit van veel voor want waren was wat we wel wij wil worden wordt zal ze zich zij zijn zo zou dank bedankt hallo`),
  ru: words(`а без более бы был была были было быть в вам вас весь во вот все всё вы где да давайте для до его ее её если есть еще ещё же за здесь и из или им их к как ко
    когда который кто ли мне можно мы на надо нам нас наш не него нет ни но ну нужно о об он она они оно от очень по пока при с сейчас со так также там то тоже только у уже хорошо
    чем что чтобы это этого этот я спасибо здравствуйте доброе утро`),
  zh: words(`我们 你们 他们 她们 这个 那个 这些 那些 什么 怎么 可以 没有 一个 一下 一些 因为 所以 但是 如果 就是 不是 大家 今天 现在 需要 已经 还是 还有 或者 以及 然后 应该 觉得 知道 时候 问题 非常
    早上好 谢谢 您好 你好 关于 对于 通过 进行 认为 可能 那么 这样 自己 不会 不能 讨论 会议`),
  ja: words(`今日 明日 昨日 私 私たち 皆さん 会議 必要 場合 以下 以上 思い 話し合い 話 円 個 件 点`),
  ar: words(`في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين أن إن أو و لا نعم ما ماذا هل كيف متى أين كان كانت يكون هو هي هم نحن أنا أنت لكن ثم قد لقد كل بعض بعد قبل عند حتى يجب أيضا جدا
    صباح الخير جميعا مساء شكرا اليوم غدا سوف لم لن ليس بين حول إذا لأن منذ غير أي هناك هنا يمكن`),
  ko: words(
    `그리고 하지만 그래서 그럼 그러면 오늘 지금 우리 저희 저는 제가 이것 그것 있습니다 합니다 했습니다 입니다 네 아니요 안녕하세요 감사합니다 것 수 더 좀 및`,
  ),
}

/**
 * Scripts that identify a language, or nearly. Japanese stands before Chinese because it uses Chinese characters too.
 */
export const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Thai}/gu, 'th'],
]

/**
 * Tests for stop words of a language. English ones always count, because meetings in any language use English words.
 */
export function stopWordTest(language: string): (word: string) => boolean {
  const own = stopWords[language.split('-')[0] ?? '']
  const english = stopWords['en']
  return (word) => own?.has(word) === true || english?.has(word) === true
}

/** Words that are function words in one language and nouns in English. */
const englishNouns = new Set(
  'car war hat die tag bin ton son den dove par art men fin sole sera plan male mine'.split(' '),
)
/** So large a share of a meeting's words shows that a second language was spoken in it. */
const spokenShare = 0.01

/**
 * Tests for stop words of the other languages that were spoken in a meeting beside its own: a parliament with two
 * languages, for example.
 */
export function foreignStopWordTest({
  language,
  sentences,
}: {
  language: string
  sentences: readonly { words: readonly string[] }[]
}): (word: string) => boolean {
  const isOwn = stopWordTest(language)
  const counts = new Map<string, number>()
  let total = 0
  for (const { words } of sentences) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    total += words.length
  }
  const foreign = Object.entries(stopWords).flatMap(([other, set]) => {
    if (language.startsWith(other)) return []
    const own = [...set].filter((word) => !isOwn(word) && !englishNouns.has(word))
    const said = own.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0)
    return said >= Math.max(3, total * spokenShare) ? [new Set(own)] : []
  })
  return (word) => foreign.some((set) => set.has(word))
}
