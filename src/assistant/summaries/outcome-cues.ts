// Data: what counts as explicit evidence of a decision, of its acceptance, or of a promise. Precision before recall:
// a decision that nobody took is worse than one that a reader must look up.

const months =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)'
const days = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const date = [
  'to(?:day|morrow|night)',
  'this (?:morning|afternoon|evening)',
  `(?:next |this |the following )?${days}(?: (?:morning|afternoon|evening|night|noon))?`,
  '(?:the )?(?:next|this|following|coming) (?:week|month|quarter|sprint|year|release)',
  '(?:the )?(?:end|middle|start|beginning) of (?:the |this |next )?(?:day|week|month|quarter|sprint|year|' +
    months +
    ')',
  `(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${months}(?: \\d{4})?`,
  `${months} (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?`,
  '\\d{4}-\\d{2}-\\d{2}',
  'the \\d{1,2}(?:st|nd|rd|th)',
  '(?:eod|eow|cob|noon|midnight|lunch|close of business)',
  "\\d{1,2}(?::\\d{2})? ?(?:am|pm|o'clock)",
  `(?:early |mid |late |mid-)?${months}`,
].join('|')

/** A time by which something is due, with its preposition; "may" and "march" only where a preposition or number shows a month. */
export const dueDate = new RegExp(
  `\\b(?:(?:by|before|until|no later than|on|at|in|within) (?:${date})|(?:within|in) (?:\\w{1,12} )(?:days?|weeks?|hours?|months?)|(?:next|this) (?:week|month|${days})|(?:${days})(?: (?:morning|afternoon|evening))?|tomorrow(?: (?:morning|afternoon))?|tonight|today|this (?:morning|afternoon|evening)|end of (?:the )?(?:day|week|month|quarter))\\b`,
  'i',
)

export const decisionCues: readonly RegExp[] = [
  /\b(?:we|the (?:team|board|committee|group|council))(?:'ve| have| has)? (?:all |now |already |just |also |unanimously |formally )?(?:decided|agreed|resolved|voted|settled on|chosen|opted|approved|signed off)\b/i,
  /\b(?:it is|it's|that is|that's|it has been|has been|have been|was|is|are|consider it|so that's) (?:now |hereby |all |unanimously |formally |officially )?(?:decided|agreed|settled|resolved|approved|carried|adopted)\b/i,
  /\b(?:let's|let us|we'll|we will|we are going to|we're going to|i say we) (?:then |just |definitely )?(?:go (?:ahead )?with|stick with|settle on|adopt|postpone|drop)\b/i,
  /\b(?:we are|we're) (?:going with|sticking with|dropping|postponing)\b/i,
  /\b(?:the|our|my|final) (?:final )?decision (?:is|was|has been)\b|^decision\b ?:?|^decided\b|\bdecision made\b/i,
  /\b(?:motion|resolution|budget|proposal|minutes) (?:is |are |was |has been |have been )?(?:carried|carries|passed|passes|approved|adopted)\b|\bsigned off on\b/i,
  /\bwir (?:haben|hatten)\b.{0,80}\b(?:beschlossen|entschieden|vereinbart)|\b(?:ist|wird|damit) (?:so )?beschlossen\b|\bnous avons (?:décidé|convenu)\b|\b(?:hemos|han) (?:decidido|acordado)\b|\babbiamo deciso\b|\bdecidimos\b/i,
  /\b(?:beschließen|vereinbaren) wir,? (?:hiermit,? )?dass\b|\bwir (?:beschließen|vereinbaren),? (?:hiermit,? )?dass\b/i,
]

/** The result of a vote, which says nothing without the proposal before it. */
export const resultAlone =
  /^(?:(?:the|that|this) )?(?:motion|proposal|resolution|vote)\b.{0,30}\b(?:carried|carries|passed|passes|approved|adopted|unanimous(?:ly)?)(?: unanimously)?$/i

/** What looks like a decision and is none: open, denied, wished for, or asked. */
export const undecided =
  /\b(?:not|n't|never|haven't|hasn't|isn't|wasn't|yet to|if|whether|unless|until|before|once|when|should|could|would|might|may|can|to be|need to|needs to|have to|had to|want to|trying to|going to have to|still|who|what|how|nicht|keine|noch|pas|no hemos|non)\b.{0,40}\b(?:decid|decision|agree|settle|approv|resolv|chosen|choose|go with|beschl|entsch|décid|decid)/i

/** "but not before next week": a time that is named and that nothing is due by. */
export const deniedTime = /\bnot (?:before|until|by|on|in|at|within|this|next|today|tomorrow)\b.{0,60}$/i

/** A proposal that the next speakers may accept. */
export const proposalCues =
  /^(?:i (?:would |'d )?(?:propose|suggest|move|recommend|vote)|i'd (?:propose|suggest|recommend)|let's|let us|shall we|should we|how about|what about|why don't we|we should|we could|we can|my proposal|the proposal|proposal|i say we|i think we should|can we agree|do we agree|are we agreed|all in favou?r)\b|\bi (?:propose|suggest|move|recommend) (?:that )?|\bso we (?:postpone|go with|choose|drop|keep|use|move)\b/i

/** Acceptance in so many words. "Yeah" and "okay" are listening, not agreeing. */
export const acceptanceCues =
  /^(?:(?:i |we |all |fully |totally |completely )*agree(?:d)?(?! (?:with|on|but|to some|that)\b)|seconded|i second (?:that|it)|second(?:ed)?$|approved|accepted|done deal|deal$|it's a deal|decided|settled|carried|unanimous|all in favou?r|let's do (?:it|that|this)|let's go with (?:it|that|this)|we'll do that|sounds good,? let's|that's decided|motion carried|einverstanden|beschlossen|d'accord|de acuerdo|aye$)/i

const does =
  'send|write|prepare|draft|check|look into|look at|follow up|schedule|set up|book|create|update|fix|review|call|contact|organi[sz]e|finish|deliver|investigate|research|test|deploy|file|open|raise|talk to|speak to|speak with|ask|get back|circulate|put together|collect|publish|arrange|order|document|migrate|add|confirm|report|submit|design|build|own|handle|take care|take that|take this|take the|take it|make sure|reach out|ping|coordinate|analy[sz]e|compare|finali[sz]e|complete|implement|bring|provide|share (?:the|a|it|my|our|that)|post|email|e-mail|mail|invite|hire|run|roll back|roll out|ship|release|present|propose|gather|find out|work on|negotiate|plan|estimate|measure|monitor|rewrite|remove|change|move|merge|upload|notify|inform|remind|produce|revise|summari[sz]e|train|sign|pay|escalate|clarify|pull|think about|renew|extend|replace|cancel|split|correct|answer|reply|print|copy|clean|translate|record|install|configure|restore|buy|search|visit|meet|interview|evaluate'

/** "I'll send ..." is a promise by its verb; with a day any verb is one, and then "I can" and "I'm going to" too. */
export const firmPromise = new RegExp(
  `\\b(?:i'll|i will) (?:also |then |just |personally |try to |go and |be )?(?:${does})\\b`,
  'i',
)
export const datedPromise = /\b(?:i'll|i will|i am going to|i'm going to|i can|let me) (?!be\b|not\b)[a-z]{2,}/i
/** "Ben will ...", "Ben to ...", after a name. */
export const assignedTask = new RegExp(
  `^,? (?:(?:you )?will|'ll|you'll|is going to|you are going to|you're going to|to|should|needs to|has to|agreed to|(?:can|could|would|will) you(?: please)?|please)(?: be)? (?:also |then |just |please )?(?:${does}|working on|looking (?:at|into)|prepar|writing|doing)`,
  'i',
)
export const labelledTask =
  /^(?:action(?: item| point)?s?|to-?do|task|next steps?|follow-?up)s? ?(?::|is|are|for)\b|^(?:action(?: item| point)?|to-?do|follow-?up) ?:/i
/** Promises about the talk itself, and what is only imagined. */
export const noTask =
  /\b(?:if i|i'd|would|share my screen|start with|go first|show you|tell you|explain|be honest|draw|say that|might|maybe i|i'll let you|let me (?:check if|see|ask you|share|know|think|just say|present|add one|add that)|i'll (?:run through|present|open the|start|ask you|call on))\b/i
