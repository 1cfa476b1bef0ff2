// Data: what counts as a promise, an assignment or a request. Precision comes before recall: listing a task that nobody
// took on is worse than missing one.

const taskVerbs =
  'send|write|prepare|draft|check|double-check|look into|look at|look for|follow up|schedule|set up|book|create|update|fix|review|call|phone|ring|text|contact|organi[sz]e|finish|deliver|investigate|research|test|deploy|file|open|raise|bring (?:it|that|this) up|talk to|speak to|speak with|ask|get back|come back to|circulate|put (?:it|that|them|this|the|these|those|all|our|my|your|some|together)|save|think about|work on|collect|publish|arrange|order|document|migrate|add (?:a|an|the|some|min|more|\\w+ to)|confirm|report|submit|design|build|own|handle|hold the|take care|take that|take this|take the|take it|take over|make sure|make an?|reach out|ping|coordinate|analy[sz]e|compare|finali[sz]e|complete|implement|bring|provide|share (?:the|a|it|my|our|that)|post|email|e-mail|mail|message|invite|hire|roll back|roll out|ship|release|propose|gather|find|dig out|dig up|negotiate|plan|estimate|measure|monitor|rewrite|remove|change|move|merge|upload|notify|inform|remind|produce|revise|summari[sz]e|train|sign|pay|escalate|clarify|clear|chase|pull|renew|extend|replace|cancel|split|shorten|cut|correct|answer|reply|print|copy|clean|translate|record|install|configure|restore|borrow|buy|search|visit|meet with|interview|evaluate|include|repeat the|tell (?:the|them|him|her|everyone|everybody|people|all)|let (?:them|him|her|everyone|everybody|people|the \\w+) know|sort|type up|fill in|draw up|write up|do (?:the|a|an)\\b|run (?:the|a|that|it|some)|get (?:a|an|the|some|more|in touch|hold of|(?:it|that|this|them) (?:out|over|back) to)|go back and|have an? (?:\\S+ ){0,2}(?:word|chat|call|conversation) with|make the (?!point|case|most|argument)|go (?:up|there|over there|and|to)|forward|label|fetch'

const adverbs = '(?:(?:also|then|just|personally|try to|go and|definitely|certainly|be happy to|quickly|gladly) )*'
const promises = "(?:I'll|I will|I'm going to|I am going to|I'm gonna|I am gonna|I shall)"

/** "I'll send ...": a promise by its verb. */
export const firmPromise = new RegExp(
  `\\b${promises} ${adverbs}(?:${taskVerbs}|try \\p{Ll}+ing|work (?:this|that|it) out)(?![\\p{L}\\p{N}])|\\bI(?:'m| am) planning to (?:${taskVerbs}|use)(?![\\p{L}\\p{N}])|\\b(?:first|next|another) thing (?:\\p{L}+ ){0,3}(?:want to|will|would like to) (?:try to )?do is\\b|\\bI hope to .{0,60}\\b(?:done|finished|ready) by\\b`,
  'iu',
)
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
  /\bI(?:'ll| will)? (?:need|have|still have|still need|'ve got|got) to (?:ask|check with|call|write to|send|e-?mail|find out|talk to|speak to|speak with|get back to|confirm with|look up|read|finish|prepare|write|check)\b/i

/** "I'll do that", "I'm on it": a promise that does not name the task. */
export const promiseAlone =
  /^(?:.{0,40}\b)?(?:(?:I'll|I will|I (?:definitely|certainly) will|I can|I could|I'm going to|let me|I'd be happy to|happy to) (?:also |just |definitely )?(?:do|take|handle|own|sort|look into|take care of|see to|be on|follow up on) (?:it|that|this|those|them|these|one|so|\d+)\b.{0,40}|I'm (?:already )?on (?:it|that)|I will|(?:that one's|that's|it's) on me|leave (?:it|that) (?:to|with) me|consider it done|will do|(?:das )?mach(?:e|') ich\b.{0,40}|(?:das )?übernehme ich\b.{0,30}|je m'en (?:occupe|charge)\b.{0,30}|(?:yo )?me encargo(?: yo)?|lo hago yo|ci penso io|lo faccio io)$|^(?:claro,? |sí,? |vale,? )?(?:yo )?l[oa]s? \p{L}+[oé](?!\p{L}).{0,30}$|^(?:oui,? |d'accord,? )?je (?:te |vous |leur |lui )?(?:l'|le |la |les )\p{L}+(?: .{0,25})?$/iu

/** Follows a name: "Ben will ...", "Ben to ...". */
export const assignedTask = new RegExp(
  `^,? (?:(?:you )?will|'ll|you'll|(?:over here |designer )?(?:is|are) (?:going to|gonna|supposed to)|you are going to|you're going to|to|should|needs to|has to|agreed to|(?:can|could|would|will) you(?: please| maybe| also| then)*|would you mind|(?:would|will|are) you(?: be)? able to|do you want to|you|please)(?: be)? (?:also |then |just |please |quickly )*(?:${taskVerbs}|working on|looking (?:at|into)|prepar\\p{Ll}+|writing|doing|digging|sending|asking|checking|invite|talk)(?![\\p{L}\\p{N}])|^ (?:does|takes|writes|handles|prepares|sends|calls) .{2,40}\\bthen$`,
  'iu',
)
/** "Let's have Tom ...": the text before the name; `delegated` is the text after it. */
export const delegation =
  /\b(?:I'd like the|I want the|let's|let us|can we|could we|we(?:'ll| should| could) |I'd like|I want|I need)(?: to)?(?: have| get| ask)? $/i
export const delegated = new RegExp(`^ (?:to )?(?:\\p{Ll}{2,3} ){0,2}(?:${taskVerbs}|do)(?![\\p{L}\\p{N}])`, 'iu')
/** "AI for Mary: ...": the text before the name. */
export const labelFor = /^(?:ai|action(?: item| point)?|to-?do|task|follow-?up)s? (?:for|on|goes to) $/i

export const labelledTask =
  /^(?:action(?: item| point)|to-?do|task|next step|follow-?up)s? ?(?:is|are|for)\b(?! (?:gonna|going|all|the|a)\b)|^(?:actions?(?: items?| points?)?|to-?dos?|tasks?|next steps?|follow-?ups?) ?:/i

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
  /^(?!.*\b(?:don't|doesn't|didn't|do not|not) (?:really )?(?:need|have)\b).*\b(?:needs?|should|must|have to|has to|ought to|müssen|muss|sollte|hay que|tenemos que|il faut|doit|devons)\b/i

export const assent =
  /^(?:(?:yes|yep|yeah|sure|okay|ok|fine|great|oh|no problem|not at all|of course|absolutely|certainly|right|gladly|perfect|so)[ ,]+)*(?:yes|yep|yeah|sure|okay|ok|fine|of course|absolutely|certainly|no problem|not at all|happy to.{0,20}|will do|consider it done|on it|I will\b.{0,20}|I can\b.{0,20}|I'll do (?:it|that)\b.{0,30}|gladly|sure thing|can do|my pleasure|claro|sí|vale|por supuesto|oui\b.{0,20}|d'accord|bien sûr|volontiers|ja|klar|gerne|natürlich|mache? ich\b.{0,20}|geht klar|alles klar|certo\b.{0,25}|sì|va bene|volentieri|super)$/i
/** A request with any verb. It is a task if the answer is yes. */
export const anyRequest =
  /^(?:and |maybe )*(?:can|could|would) you (?:please |maybe |also |just |then )*(?!hear|see|be\b|make (?:it|\w+day)|come|join|stay|imagine|tell|remember|guess|believe|wait|think|do (?:that|it)|live|agree|understand|follow|afford|use|like|have|want|need|prefer|rather|expect|say)\p{Ll}{3,}/iu
/** Accepts an order. A plain "yes" may answer something else. */
export const acceptsOrder =
  /^(?:will do|I will|of course|consider it done|on it|happy to|no problem|sure|sure thing|can do)$/i
/** Accepts an offer. */
export const acceptsOffer =
  /^(?:yes,? )?(?:please(?: do)?|great|perfect|thanks|thank you|brilliant|lovely|excellent|that'd be|that would be|good|wonderful|super)\b/i

/** A request about hearing or seeing each other. */
export const aboutTheTalk =
  /\b(?:answer|reach|assurance|indication|set out|outline|clarify|comment|confirm (?:that|whether|if)|come in|respond|pick up|go ahead|help (?:me|us)|unmute|move (?:your|the) (?:chair|mike|microphone|mouse)|hand me|pass me|be (?:a bit |just )?(?:clearer|more)|next slide|press|click|turn (?:it|that)|open (?:it|that)|describe|elaborate|expand on|give (?:us|me|the \w+) (?:a |an |some |any )?(?:\w+ )?(?:idea|indication|assurance|sense|update|example|figure|overview|reason)|show|explain|repeat|mute|speak up|speak louder|hear|say|share|go back|scroll|zoom|wait)\b/i

/** Promises about the meeting itself, and what is only imagined. */
export const noTask =
  /\b(?:(?:what|how|where|that's) I(?:'m| am)? (?:going to|gonna|will)|OK,? well,? I'll|ask (?:you|again)\b|questions?\b|good answers|hope(?:fully)?,? I'll|call that a|remind (?:her|him|you|members|honourable|the (?:member|house)|everyone)|tell (?:him|her|them|you),? though|take this opportunity|place on record|welcome|for my (?:bedroom|birthday|wife|husband|mother)|do the (?:ev )?evaluation|in a (?:second|minute|moment)\b|next time I\b|so we can all see|invite (?:\p{L}+ ){1,8}to (?:discuss|present|talk|speak)|inform you (?:about|of)|finish up with|talk to you (?:more )?about|look(?:ing)? forward|don't need|do not need|put it that way|take the minutes|take minutes you|say I'll|says I'll|like I'll|said I'll|write down here|go home|open (?:it|them) slowly|to that next slide|next slide|ask \w+ to come in|ask \p{L}+ to (?:answer|respond|say)|move on|come back to you in|take (?:that|this|your) question|be (?:brief|quick)|try (?:and|to) be brief|answer (?:that|your|the)|come to (?:that|this|you)|call (?:on|you)|hand (?:over|it)|pass (?:over|it) to|stop there|leave it there|look at show|if I|I'd(?! (?:be (?:happy|glad)|love|like you|have to))|would(?! (?:you|be))|could have|share my screen|start with|go first|show you|tell you|explain|be honest|draw (?:a|it|that|this)|say that|might|maybe I|I'll let you|let me (?:see|ask you|share|know|think|just say|present|add one|add that|check if)|I'll (?:run through|present|open the|start|ask you|call on|add that|repeat (?:that|it))|call the (?:roll|vote)|report briefly|hear me|take the minutes now|if nobody|right now$|now$|if I were|first of all)\b/iu
/** Steps of the meeting itself, and what is done at once: "I will call the minister to speak", "I'll make a note of that". */
export const doneAtOnce =
  /\b(?:save (?:you|it)|just (?:write|type|note|put|fill|read)|let's see|(?:make|take) (?:a |another )?note (?:of|on)|get the (?:\w+ )?(?:presentation|slides?|screen) up|(?:give|read) (?:you )?(?:a|an|another) (?:quote|example)|(?:need|want|would like) to ask (?:very |really )?(?:quickly|which|what|why|how|whether)|confirm (?:again|that (?!with|by|to|on))|(?:assure|reassure) (?:you|my|the|him|her|them) .{0,40}\bthat (?:this|it|we|there|the (?:government|minister))|try to do (?:a )?better|back to the (?:bill|point|question|slide)|(?:use|on) the whiteboard|move (?:it (?:anyway|formally|to begin)|amendments?|the (?:amendment|motion)|formally)|call (?:.{0,40} )?(?:to speak|(?:a|the) (?:\w+ )?(?:break|vote))|to reply to the debate)\b/iu
/** What others say or think, or said before: "they go, I'll fill in the forms now". */
export const reportedPromise =
  /\b(?:(?:say|says|said),? ['‘"“]?|(?:go|goes),? ['‘"“]|(?:they|people) think,? )(?:(?:oh|okay|ok|well|yes|right|all right|alright|then),? )*(?:I'll|I'm going to|I'm gonna|I will)\b|\bas we have decided\b/iu
/** "Sure, and I'll rewrite everything in Cobol": agreement right before an offer is irony. */
export const mockPromise = /\b(?:sure|right|great|yeah|oh yes|of course) and\b/

/** What a chair gives to those present: "you'll be looking at the costs", "I want you to work on these ideas". */
export const instruction =
  /^(?!(?:if(?! we all have\b)|when|whenever|while|where|as|once|until|because|that|like|unless|since)\b)(?:\p{Lu}\p{Ll}+,? )?(?:basically |maybe |so |then |and |what )*(?:you(?:'ll| will| are going to|'re going to)(?: be)? (?:all |both )?(?:looking (?:at|into)|look (?:at|into)|watching|working (?:on|together)|work (?:on|together)|focus(?:ing)? on|preparing|prepare|designing|design|doing the|writing|write|organi[sz]ing|organi[sz]e)|you (?:have|need) to work (?:on|together)|you're (?:looking at the|watching|doing the|working on)|I (?:want|need|would like) you (?:all |both |guys )?to (?:\p{L}+ ){2}|(?:would|could) you (?:two|three|four|all|guys) (?:mind )?(?:please )?\p{L}{4,}|send (?:me|us) (?:your|the|all)|if we all have)|\b(?:you|two|guys|designer|interface|expert|manager|and (?!we\b|they\b|I\b)\p{L}+)(?: guys| both| all)? (?:have to|should|are going to|are gonna|will have to|will|need to|'re going to) (?:\p{L}+ )?work together\b|, I(?:'d| would) like you to (?:\p{L}+ ){2}/iu
/** "Maybe if you want to look into that": asks the one who spoke last. */
export const mildRequest = new RegExp(
  `^(?:maybe |perhaps )?if you (?:wanna|want to(?! (?:look at|go to|see))|could(?! include| just leave)) (?:${taskVerbs})(?!.*\\bwe\\b)`,
  'iu',
)
/** What a committee asks for or promises: "perhaps we could have a note on that", "you'll be sent a transcript". */
export const noteRequest =
  /\b(?:(?:could|can|may) (?:we|I) have|let us have|send us|provide us with|write to us with) (?:a|an|the) (?:\p{L}+ )?(?:note|report|paper|letter|list)\b|\byou(?:'ll| will) (?:also |all )?(?:be sent|receive|get) (?:a|an|the) (?:\p{L}+ )?(?:transcript|copy|report|draft|minutes|letter|note|notes|summary|record|recording)\b/iu
/** What a group plans counts with a date, and what it offers if that is accepted. */
export const groupPlan =
  /(?<!\b(?:are|will|shall) )\bwe(?:'re| are)? (?:(?:definitely |also )*(?:intend|plan|hope|aim|going) to(?: be)?|will(?: be)?|'ll) (?!(?:be|here|there|back|able|have|meet|meeting|discuss|talk|see|start|come|get|do|need|probably|just|then|now|also|not|never|all|still|look|like|continue|move|try|remain|adjust|adjusting|keep|review|reviewing|work|have|respond)\b)\p{Ll}{3,}/iu
export const groupOffer =
  /\bwe (?:can|could|will|would be happy to) (?:write to|send|provide|share|report back to|come back to) (?:you|the)\b/i
/** "Rama will design the case": a name that is no speaker's, before what that person will do. */
export const namedTask = new RegExp(
  `(?:^|, | and | for )(\\p{Lu}\\p{Ll}{2,}) (?:will|wil|is going to|'ll) (?:\\p{Ll}+ly )?(?:design|do|make|be (?:working on|looking (?:at|into)|focus(?:ed|ing) on)|${taskVerbs})(?![\\p{L}\\p{N}])`,
  'u',
)
/** Elliptic, after another assignment: "Mark the user interface design, and Sammy the product evaluation". */
export const namedObject = /(?:^|, |and )(\p{Lu}\p{Ll}{2,}) the \p{Ll}+ \p{Ll}+/u
/** Names nothing that anybody could do later. */
export const vaguePromise =
  /\b(?:I'll|I will|I'm gonna|I'm going to|let me) (?:\w+ )?(?:look at|have a look|think about|try|see|be|go|take care|make sure|check|ask you|come)\b/i
