// Data: what counts as a promise, an assignment or a request. Precision comes before recall: listing a task that nobody
// took on is worse than missing one.

const taskVerbs =
  'send|write|prepare|draft|check|double-check|look into|look at|look for|follow up|schedule|set up|book|create|update|fix|review|call|phone|ring|text|contact|organi[sz]e|finish|deliver|investigate|research|test|deploy|file|open|raise|bring (?:it|that|this) up|talk to|speak to|speak with|ask|get back|come back to|circulate|put (?:it|that|them|this|the|together)|collect|publish|arrange|order|document|migrate|add (?:a|an|the|some|min|more|\\w+ to)|confirm|report|submit|design|build|own|handle|hold the|take care|take that|take this|take the|take it|take over|make sure|make an?|reach out|ping|coordinate|analy[sz]e|compare|finali[sz]e|complete|implement|bring|provide|share (?:the|a|it|my|our|that)|post|email|e-mail|mail|message|invite|hire|roll back|roll out|ship|release|propose|gather|find|dig out|dig up|work on|negotiate|plan|estimate|measure|monitor|rewrite|remove|change|move|merge|upload|notify|inform|remind|produce|revise|summari[sz]e|train|sign|pay|escalate|clarify|clear|chase|pull|renew|extend|replace|cancel|split|shorten|cut|correct|answer|reply|print|copy|clean|translate|record|install|configure|restore|borrow|buy|search|visit|meet with|interview|evaluate|include|repeat the|tell (?:the|them|him|her|everyone|everybody|people|all)|let (?:them|him|her|everyone|everybody|people|the \\w+) know|sort|type up|fill in|draw up|write up|do (?:the|a|an)\\b|run (?:the|a|that|it|some)|get (?:a|an|the|some|in touch|hold of)|go (?:up|there|over there|and|to)|forward|label|fetch'

const adverbs = '(?:(?:also|then|just|personally|try to|go and|definitely|certainly|be happy to|quickly|gladly) )*'
const promises = "(?:I'll|I will|I'm going to|I am going to|I'm gonna|I am gonna|I shall)"

/** "I'll send ...": a promise by its verb. */
export const firmPromise = new RegExp(`\\b${promises} ${adverbs}(?:${taskVerbs})(?![\\p{L}\\p{N}])`, 'iu')
/** With a date any verb makes a promise, and so does "I can". */
export const datedPromise = new RegExp(
  `\\b(?:${promises}|I can|let me|I'm (?=(?:send|writ|call|meet|prepar|sign|deliver|publish|order)\\w*ing)) ?${adverbs}(?!be\\b|not\\b|go over|tell you|have to\\b|only\\b|see\\b|never\\b)[a-z]{2,}`,
  'i',
)
/** An offer counts as a promise where somebody asked for it or accepts it. */
export const offer = new RegExp(
  `\\b(?:I can|I could|I'd be (?:happy|glad) to|I'd love to|I'm happy to|happy to|let me) ${adverbs}(?:${taskVerbs})(?![\\p{L}\\p{N}])|\\bI'd be (?:happy|glad) to (?:do|take)\\b`,
  'iu',
)
/** What somebody says they must do themselves. */
export const ownDuty =
  /\bI(?:'ll| will)? (?:need|have|still have|still need|'ve got|got) to (?:ask|check with|call|write to|send|find out|talk to|speak to|speak with|get back to|confirm with|look up)\b/i

/** "I'll do that", "I'm on it": a promise that does not name the task. */
export const promiseAlone =
  /^(?:.{0,40}\b)?(?:(?:I'll|I will|I can|I could|I'm going to|let me|I'd be happy to|happy to) (?:also |just |definitely )?(?:do|take|handle|own|sort|look into|take care of|see to|be on|follow up on) (?:it|that|this|those|them|these|one|so|\d+)\b.{0,40}|I'm (?:already )?on (?:it|that)|I will|(?:that one's|that's|it's) on me|leave (?:it|that) (?:to|with) me|consider it done|will do|(?:das )?mach(?:e|') ich\b.{0,40}|(?:das )?übernehme ich\b.{0,30}|je m'en (?:occupe|charge)\b.{0,30}|(?:yo )?me encargo(?: yo)?|lo hago yo)$|^(?:claro,? |sí,? |vale,? )?(?:yo )?l[oa]s? \p{L}+[oé](?!\p{L}).{0,30}$|^(?:oui,? |d'accord,? )?je (?:te |vous |leur |lui )?(?:l'|le |la |les )\p{L}+(?: .{0,25})?$/iu

/** Follows a name: "Ben will ...", "Ben to ...". */
export const assignedTask = new RegExp(
  `^,? (?:(?:you )?will|'ll|you'll|is going to|you are going to|you're going to|to|should|needs to|has to|agreed to|(?:can|could|would|will) you(?: please| maybe| also| then)*|would you mind|(?:would|will|are) you(?: be)? able to|do you want to|you|please)(?: be)? (?:also |then |just |please |quickly )*(?:${taskVerbs}|working on|looking (?:at|into)|prepar|writing|doing|digging|sending|asking|checking|invite|talk)(?![\\p{N}])|^ (?:does|takes|writes|handles|prepares|sends|calls) .{2,40}\\bthen$`,
  'iu',
)
/** "Let's have Tom ...": the text before the name; `delegated` is the text after it. */
export const delegation =
  /\b(?:let's|let us|can we|could we|we(?:'ll| should| could) |I'd like|I want|I need)(?: to)?(?: have| get| ask)? $/i
export const delegated = new RegExp(`^ (?:to )?(?:${taskVerbs}|do)(?![\\p{L}\\p{N}])`, 'iu')
/** "AI for Mary: ...": the text before the name. */
export const labelFor = /^(?:ai|action(?: item| point)?|to-?do|task|follow-?up)s? (?:for|on|goes to) $/i

export const labelledTask =
  /^(?:action(?: item| point)?s?|to-?do|task|next steps?|follow-?up)s? ?(?::|is|are|for)\b|^(?:action(?: item| point)?|to-?do|follow-?up) ?:/i

/** A request to anybody who answers. */
export const openRequest = new RegExp(
  `^(?:and |maybe |please )*(?:(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody) (?:please |maybe |also |just |then )*(?:${taskVerbs})(?![\\p{L}\\p{N}])|please (?:${taskVerbs})(?![\\p{L}\\p{N}])|(?:if you could|it would (?:be (?:great|good|nice|helpful)|help) if you could|I need you to|I'd like you to|would you mind) .{6,}|(?:don't forget to|please make sure) .{6,})`,
  'iu',
)
/** An order. It counts if the answer is "will do". */
export const order =
  /^(?:and |then |just )?(?:send|give|email|ping|write|forward|invite|book|call) (?:me|us|him|her|them|the|an?|it)\b.{3,}/i
/** Something that anybody may take on. */
export const openNeed = new RegExp(
  `\\b(?:somebody|someone|anybody|one of us) (?:needs to|has to|should|must|to) (?:\\w+ )?(?:${taskVerbs}|do|close|clean|keep)(?![\\p{L}\\p{N}])|\\b(?:I|we) need (?:someone|somebody) to\\b|^who(?:'s| is| will| can| could| wants to| would)(?: like to| going to)? (?:\\w+ )?(?:${taskVerbs}|do|take|looking|writing|doing|taking|talking|calling|sending|writes|takes|does)(?![\\p{L}\\p{N}])|^who (?!is|has|was|does|says|thinks|knows|needs|wants|likes|cares|pays)\\p{Ll}{2,}s (?:the|a|an|this|that|it|to|with)\\b`,
  'iu',
)
/** A need that its own speaker takes on: "The team needs a briefing. I'll do that." */
export const need =
  /\b(?:needs?|should|must|have to|has to|ought to|müssen|muss|sollte|hay que|tenemos que|il faut|doit|devons)\b/i

export const assent =
  /^(?:(?:yes|yep|yeah|sure|okay|ok|fine|great|oh|no problem|not at all|of course|absolutely|certainly|right|gladly|perfect|so)[ ,]+)*(?:yes|yep|yeah|sure|okay|ok|fine|of course|absolutely|certainly|no problem|not at all|happy to.{0,20}|will do|consider it done|on it|I will\b.{0,20}|I can\b.{0,20}|I'll do (?:it|that)\b.{0,30}|gladly|sure thing|can do|my pleasure|claro|sí|vale|por supuesto|oui\b.{0,20}|d'accord|bien sûr|volontiers|ja|klar|gerne|natürlich|mache? ich|geht klar|alles klar)$/i
/** A request with any verb. It is a task if the answer is yes. */
export const anyRequest =
  /^(?:and |maybe )*(?:can|could|would) you (?:please |maybe |also |just |then )*(?!hear|see|be\b|make (?:it|\w+day)|come|join|stay|imagine|tell|remember|guess|believe|wait|think|do (?:that|it)|live|agree|understand|follow|afford|use)\p{Ll}{3,}/iu
/** Accepts an order. A plain "yes" may answer something else. */
export const acceptsOrder =
  /^(?:will do|I will|of course|consider it done|on it|happy to|no problem|sure|sure thing|can do)$/i
/** Accepts an offer. */
export const acceptsOffer =
  /^(?:yes,? )?(?:please(?: do)?|great|perfect|thanks|thank you|brilliant|lovely|excellent|that'd be|that would be|good|wonderful|super)\b/i

/** A request about hearing or seeing each other. */
export const aboutTheTalk =
  /\b(?:show|explain|repeat|mute|speak up|speak louder|hear|say|share|go back|scroll|zoom|wait)\b/i

/** Promises about the meeting itself, and what is only imagined. */
export const noTask =
  /\b(?:if I|I'd(?! (?:be (?:happy|glad)|love|like you|have to))|would(?! (?:you|be))|could have|share my screen|start with|go first|show you|tell you|explain|be honest|draw (?:a|it|that|this)|say that|might|maybe I|I'll let you|let me (?:see|ask you|share|know|think|just say|present|add one|add that|check if)|I'll (?:run through|present|open the|start|ask you|call on|add that|repeat (?:that|it))|call the (?:roll|vote)|report briefly|hear me|if nobody|right now$|now$|if I were|first of all)\b/i
/** "Sure, and I'll rewrite everything in Cobol": agreement right before an offer is irony. */
export const mockPromise = /\b(?:sure|right|great|yeah|oh yes|of course) and\b/

type ForeignTasks = { promise: RegExp; dated: RegExp; request: RegExp; not: RegExp }
/** `request` follows a name. `dated` counts only with a date. */
export const foreignTasks: Readonly<Record<string, ForeignTasks>> = {
  de: {
    promise:
      /\b(?:ich (?:werde (?!nicht)|kümmere mich|übernehme|erledige|bestelle|organisiere|besorge|bereite|erstelle|schicke|informiere)|mache? ich\b)/i,
    dated:
      /\bich (?!bin|habe|hab|hatte|war|denke|glaube|finde|weiß|hoffe|würde|muss|möchte|kann nicht|will|komme)\p{Ll}+\b/iu,
    request:
      /^,? (?:(?:kannst|könntest|würdest|machst|übernimmst|schickst|holst|rufst|prüfst|schreibst|klärst|organisierst) du|(?!haben|hatten|sind|waren|wissen|meinen|denken|glauben|sehen|hören|kennen|wollen|möchten)\p{Ll}+en Sie)\b(?!.*\b(?:kurz|berichten|sagen|erklären|erzählen|anfangen|hören)\b)|^,? (?:wird|soll) .{4,}/iu,
    not: /\b(?:nicht mehr|würde|hätte|könnte|wenn ich|vielleicht)\b/i,
  },
  es: {
    promise:
      /\b(?:voy a (?!ser|estar|decir|explicar)\p{L}+r|me encargo|yo (?:puedo )?(?:hablo|llamo|escribo|redacto|preparo|envío|mando|compro|pido|busco|reviso|hago|recog\p{L}+|prepar\p{L}+|llam\p{L}+|escrib\p{L}+|busc\p{L}+|organiz\p{L}+))/iu,
    dated:
      /^(?:(?:yo|lo|la|los|las|le|les|os|claro|sí|vale|bien|perfecto|y),? )+(?!no )(?:\p{L}{2,}[^aeis\s,]o|envío|hago|pido|\p{L}{2,}aré|\p{L}{2,}eré|\p{L}{2,}iré)(?![\p{L}])/iu,
    request: /^,? ¿?(?:puedes|podrías|puede|podría|quieres|te encargas|se encarga)\b/iu,
    not: /\b(?:si yo|podría(?!s)|quizás|tal vez|ojalá)\b/i,
  },
  fr: {
    promise:
      /\b(?:je vais (?!être|avoir|vous (?:dire|expliquer|montrer)|dire|expliquer|montrer)(?:(?:le|la|les|lui|leur|te|vous) )?\p{L}+r|je (?:m'occupe|m'en occupe|me charge|m'en charge|prends en charge))/iu,
    dated:
      /\bje (?:(?:te|vous|leur|lui|le|la|les|t'|l') ?)*(?!suis|pense|crois|trouve|sais|peux|veux|ne )\p{L}+(?:e|s)\b/iu,
    request:
      /^,? (?:est-ce que )?(?:tu peux|peux-tu|tu pourrais|pourrais-tu|vous pouvez|pouvez-vous|pourriez-vous|vous pourriez)\b/iu,
    not: /\b(?:si je|peut-être|je pourrais)\b/i,
  },
}
