// Data: what counts as explicit evidence of a decision and of its acceptance. Precision comes before recall: listing a
// decision that nobody took is worse than missing one.

export const decisionCues: readonly RegExp[] = [
  /\bthe general (?:consensus|opinion|feeling) is (?:that )?we\b|\bwe(?:'ve| have) (?:\w+ ){0,2}come to (?:an?|some|the) (?:agreement|consensus|decision) (?:on|about|regarding|concerning|that)\b/i,
  /\bwe(?:'re| are) (?:all |now |more or less |pretty much )?in agreement that\b|\bwe (?:seem to )?have (?:quite )?an? (?:\w+ )?consensus that\b|\bwe all agree (?:on|that) (?!that$|this$|it$)/i,
  /\b(?:we|the (?:team|board|committee|group|council))(?:'ve| have| has)? (?:all |now |already |just |also |unanimously |formally |more or less |pretty much |basically )?(?:decided|agreed|resolved|voted|settled on|chosen|opted|approved|signed off)\b/i,
  /\b(?:it is|it's|that is|that's|it has been|consider it|so that's) (?:now |hereby |all |unanimously |formally |officially )?(?:decided|agreed|settled|resolved|approved|carried|adopted)\b/i,
  /\b(?:has been|have been|was|is|are) (?:now |hereby |all |unanimously |formally |officially )(?:decided|agreed|settled|resolved|approved|carried|adopted)\b|\b(?:is|are) (?:therefore )?(?:agreed|approved|carried)$/i,
  /\b(?:let's|let us|we'll|we will|we are going to|we're going to|i say we) (?:then |just |definitely )?(?:go (?:ahead )?with|stick with|settle on|adopt|postpone|drop)\b/i,
  /\b(?:we are|we're) (?:going with|sticking with|dropping|postponing)\b/i,
  /\b(?:the|our|my|final) (?:final )?decision (?:is(?! one\b)|(?:was|has been) (?:to|that|made|taken|not))\b|^(?:final |our |my )?decision ?:|^decided(?::| to\b| that\b| on\b|$)|\bdecision made\b/i,
  /\b(?:motion|resolution|budget|proposal|minutes) (?:is |are |was |has been |have been )?(?:carried|carries|passed|passes|approved|adopted)\b|\bsigned off on\b/i,
  /\bwir (?:haben|hatten)\b.{0,80}\b(?:beschlossen|entschieden|vereinbart)|\b(?:ist|wird|damit) (?:so )?beschlossen\b|\b(?:nous avons|on a) (?:décidé|convenu|validé)(?!\p{L})|\b(?:hemos|han) (?:decidido|acordado)\b|\babbiamo deciso\b|\bdecidimos\b|\bc'est (?:décidé|validé|acté)(?!\p{L})/iu,
  /\b(?:ist|wäre|dann ist) (?:das )?(?:so |damit )?(?:beschlossen|entschieden|abgemacht)\b|\b(?:on|nous) (?:décide|décidons|convient|convenons)(?: donc| alors)? (?:de|que|d')|\bqueda (?:decidido|acordado|aprobado)\b|\b(?:entonces|pues) quedamos (?:así|en)\b|\bè (?:deciso|approvato)\b|\b(?:decidiamo|stabiliamo) (?:quindi |allora )?(?:di|che)\b/iu,
  /\b(?:beschließen|vereinbaren) wir,? (?:hiermit,? )?dass\b|\bwir (?:beschließen|vereinbaren),? (?:hiermit,? )?dass\b/i,
]

/** The result of a vote. It means nothing without the proposal before it. */
export const resultAlone =
  /^(?:(?:the|that|this) )?(?:motion|proposal|resolution|vote)\b.{0,30}\b(?:carried|carries|passed|passes|approved|adopted|unanimous(?:ly)?)(?: unanimously)?$/i

/** Looks like a decision but is none: it is open, denied, wished for or asked. */
export const undecidedCue =
  /\b(?:not|n't|never|haven't|hasn't|isn't|wasn't|yet to|if|whether|unless|until|before|once|when|should|could|would|might|may|can|to be|need to|needs to|have to|had to|want to|trying to|going to have to|still|who|what|how|wenn|falls|würden|könnten|hätten|nicht|keine|noch|pas|no hemos|non)\b.{0,40}\b(?:decid|decision|agree|settle|approv|resolv|signed off|chosen|choose|go with|beschl|entsch|décid|decid)/i

/** A proposal that the next speakers may accept. */
export const proposalCues =
  /^(?:i (?:would |'d )?(?:propose|suggest|move|recommend|vote)|i'd (?:propose|suggest|recommend)|let's|let us|shall we|should we|how about|what about|why don't we|we should|we could|we can|my proposal|my (?:suggestion|recommendation)|the proposal is|proposal ?:|i'd like to (?:move|propose|suggest)|i say we|i think we should|can we agree|do we agree|are we agreed|all in favou?r)\b|\bi (?:propose|suggest|move|recommend) (?:that )?|^(?:so )?why don't we\b|^(?:yo )?propongo\b|^(?:alors |donc |et )?je propose\b|^(?:(?:dann|also),? )?(?:ich schlage vor|schlage ich vor|ich würde vorschlagen|lasst uns|wir sollten)\b|^propongo\b|sind alle einverstanden|tout le monde est d'accord|^(?:et )?si on \p{L}+ait\b|^(?:maybe|perhaps) (?:we (?:can|could|should) |(?:move|go|keep|use|drop|take|make|put) )|^wir (?!haben|hatten|sind|waren|können|müssen|wissen|wollen|brauchen|sollen|dürfen|denken|glauben|sehen)\p{Ll}+n\b|\bso we (?:postpone|go with|choose|drop|keep|use|move)\b/iu

/** Explicit acceptance. "Yeah" and "okay" only show that somebody listens. */
export const acceptanceCues =
  /^(?:(?:yes|yep|yeah|okay|ok|sure|great|perfect|ja|gut|sí|oui|bien|bon),? )*(?:(?:i |we |all |fully |totally |completely )*agree(?:d)?(?! (?:with|on|but|to some|that)\b)|seconded|i second (?:that|it)|second(?:ed)?$|approved|accepted|done deal|deal$|it's a deal|decided$|settled|carried|unanimous|that's unanimous|all in favou?r|let's do (?:it|that|this)|let's go with (?:it|that|this)|we'll do that|sounds good,? let's|that's decided|so ordered|without objection|motion carried|(?:that )?works for me$|(?:that's )?fine (?:by|with) me$|I'm (?:fine|happy|good|okay|ok) with (?:that|it|this)|einverstanden|beschlossen$|abgemacht|so machen wir|d'accord|adopté|entendu$|(?:estoy )?de acuerdo$|aprobado|me parece bien$|parfait$|(?:d'accord|très bien) pour moi$|excellente idée|je suis d'accord|on est d'accord|passt(?: für mich)?$|von mir aus(?: gerne)?$|(?:sono )?d'accordo$|anch'io$|approvato|va bene così|perfetto$|that's our best option|I think unfortunately that's|we(?:'re| are) (?:all )?in agreement|I think we are$|(?:I think )?that's a (?:great|good|really good|excellent|nice|brilliant) idea|(?:great|good|excellent|brilliant) idea$|I guess we(?:'ll| might) have to(?: do that)?$|makes sense$|I like (?:that|it)$|aye$)/i

/** A formal motion. A vote decides it; a second does not. */
export const formalMotion =
  /\bI (?:would like to |hereby |so )?move (?:that|to|for|we|the|approval)\b|\bI'd like to move (?:that|to|for)\b|\bI make (?:a|the) motion\b/i
export const motionCarried =
  /\b(?:motion|resolution|proposal|amendment|vote|minutes|item|ordinance|budget) (?:\w+ )?(?:is |are |has |was |has been )?(?:now |hereby |therefore )?(?:carries|carried|passes|passed|approved|adopted)\b|\bso ordered\b|\bit is unanimous\b|\bthat's unanimous\b/i
export const motionFailed =
  /\b(?:motion|resolution|proposal|amendment|vote) (?:\w+ )?(?:is |has |was |has been )?(?:fails|failed|defeated|rejected|lost|denied|withdrawn|voted down|does not (?:carry|pass))\b|\b(?:antrag|vorschlag) (?:ist )?abgelehnt\b/i

/** Opening words of a sentence that concludes a discussion. */
export const conclusiveOpening =
  /\b(?:then|okay so|ok so|alright so|all right so|right so|good so)\b|^(?:alright|all right|good|right|perfect|great|okay|ok)$/
const actVerbs =
  'take|go|use|keep|move|make|start|stop|freeze|launch|ship|release|drop|skip|buy|hire|pay|postpone|close|choose|pick|cancel|switch|change|reject|accept|approve|adopt|introduce|remove|rent|order|sign|hold|replace|raise|lower|reduce|increase|limit|set|stay|stick|book|begin|renew|extend|build|offer|leave|make|split|put|publish|invite|push|shift|clear|lock|schedule|store|divide|join|allow|ban|focus|share|order|test'
const actingVerbs =
  'taking|going with|using|keeping|moving|making|starting|stopping|freezing|launching|shipping|releasing|dropping|skipping|buying|hiring|paying|postponing|closing|choosing|picking|cancel?ling|switching|changing|rejecting|accepting|renting|ordering|holding|replacing|raising|lowering|setting|staying|sticking|booking|renewing|extending|building|leaving|splitting|putting'
/**
 * "We freeze it on Wednesday", "retention will be seven days", "let's put it there". With such an opening and an assent
 * this is a decision.
 */
export const conclusionCue = new RegExp(
  `^(?:let's|let us|we(?:'ll| will| all| both)?(?: just| only| all)?) (?:${actVerbs})\\b(?! (?:that|it) (?:up|open)\\b)|^we(?:'re| are)(?: now| all)? (?:${actingVerbs})\\b|^(?!(?:it|that|this|there|he|she|what|how|I|you|they|who|each|well)\\b)(?:[\\p{L}-]+ ){1,4}(?:will be|stays|remains) |\\b(?:is|are) (?:off|on) the (?:list|table|agenda)$|^(?:dann )?(?:wir )?(?:ziehen|nehmen|machen|verschieben|verlängern|behalten|bestellen|bleiben) wir\\b`,
  'iu',
)
/** The same in other languages. A clear assent makes it a decision. */
export const foreignConclusion =
  /^(?:(?:okay|gut|also),? )*(?:dann (?:machen|nehmen|bleiben|verschieben|kaufen|bestellen|behalten|lassen|ziehen|mieten|streichen|gehen) wir|(?:und )?(?:das|der|die) \p{L}+ bleibt(?:,|$| ))|^(?:bon,? |ok,? |eh bien,? )*(?:alors |donc )*(?:on|nous) (?:fait comme ça|fait ça|prend|garde|part sur|accueille|choisit|reste|passe|annule|reporte|prenons|gardons|choisissons)(?!\p{L})|^(?:(?:pues|vale|entonces|bueno),? )*(?:lo |la )?(?:compramos|quedamos|hacemos|dejamos|vamos con|cambiamos|aplazamos|cancelamos|nos quedamos con|cogemos|tomamos)(?!\p{L})|^(?:(?:allora|bene|dunque|quindi),? )*(?:facciamo (?:così|che)|andiamo (?:a|con)|prendiamo|teniamo|rimandiamo|compriamo|restiamo|scegliamo)(?!\p{L})/iu
/** "Wir unterschreiben also vorerst nicht": a conclusion by its own words. */
export const foreignFinal = /^wir \p{Ll}+ (?:also|somit|daher)\b/iu

/** Asks whether all agree with what was said just before. */
export const agreementAsked =
  /^(?:so )?(?:sind alle (?:damit )?einverstanden|einverstanden alle|are we (?:all )?agreed(?! to\b)|(?:is |are )?(?:everybody|everyone|you guys|you all|you) (?:all )?(?:okay|ok|happy|fine|content) with (?:that|this)|do we (?:all )?agree(?: on (?:that|this))?|can we agree on (?:that|this)|tout le monde est d'accord|(?:on est|vous êtes) (?:tous )?d'accord|(?:estamos|estáis) (?:todos )?de acuerdo|siamo (?:tutti )?d'accordo|siete d'accordo)/iu

/** "June 27 it is": final, and refers to what was said before. */
export const settledCue =
  /^(?!.*\b(?:which|see|here|there|rest|whatever|whoever|but|of|how|what|where|why|who|if|as|think|know|like|sure|whether|because|so|that|than|when|where|actually|well|yes|yeah|maybe)\b)(?:[\p{L}\p{N}'-]+,? ){1,8}it is(?: then)?$/iu
/** "That's decided", before the sentence that says what. */
export const decidedAlone = /^(?:(?:that|it)(?:'s| is)|so it's) (?:now )?(?:decided|settled|agreed)(?: then)?$/i
/** A conclusion of the discussion before it, to which others may agree. */
export const isConclusion = ({ text, opening }: { text: string; opening: string }) =>
  conclusiveOpening.test(opening) && conclusionCue.test(text)
/** After such an opening only a clear assent counts. */
export const weakOpening = /^(?:and|so|yes and|yeah so|okay and)$/
export const clearAssent = /^(?:yes|agreed|agree|deal|perfect|fine (?:with|by)|works|absolutely|definitely|sounds)\b/i

/** Proposals about the meeting itself, such as taking a break. */
export const aboutTheTalk =
  /\b(?:agenda|talk (?:again|about|later|more)|wrap (?:this|that|it|things) up|wrap up|get started|go ahead and|call it a|go with that|move on|take a break|let's start|continue|wrap up|go (?:through|around|back)|have a look|think about|see (?:how|what|if)|discuss|come back to|look at|keep in mind|let's (?:move|go) (?:over )?to|(?:move|go) (?:over )?to the (?:\w+ )?(?:presentations?|questions?|agenda|points?|items?|slides?)|as you(?:'ve| have) (?:probably|already)|meet again|lunch|coffee|close (?:again|the meeting)|park (?:that|it|this)|cross that bridge|leave (?:that|it|this) (?:open|for)|(?:decide|talk|speak) .{0,20}(?:later|next))\b/i

/** Assent that is enough for a conclusion, but not for a proposal. */
export const assentCues =
  /^(?:yes|yep|yeah|(?:oh yeah )?that's (?:fine|good|great|okay|perfect)|fine|good|great|okay|ok|'?kay|perfect|agreed|agree|sure|nice|lovely|works|excellent|right|deal|love it|sounds(?: (?:good|right|great))?|all right|alright|i'm in|me too|seven|gut|einverstanden|vale|d'accord|très bien|oui|parfait|sí|bien|perfecto|genial|de acuerdo|sì|certo|va bene|perfetto|ja|passt|klar|super|gott sei dank|von mir aus|thank (?:god|goodness))(?!\p{L})/iu

/** About another time, or only imagined: the decision was not taken in this meeting. */
export const hypothetical =
  /\b(?:last (?:year|time|week|month|quarter|spring|summer|autumn|fall|winter|sprint|meeting)|years? ago|months? ago|weeks? ago|back (?:in|then)|used to|in (?:19|20)\d\d we|imagine|suppose|supposing|pretend|what if|if (?:we|you|they|it|i|only|the)|I wish|we'd (?:have )?(?:decided|agreed)|would have|could have|should have|had (?:we )?(?:decided|agreed)|maybe|perhaps|forever|at the start of|at the beginning of|from the last|previously|the minutes|vor (?:zwei|drei) Jahren|l'an dernier|l'année dernière|due anni fa|l'anno scorso|avevamo|avait décidé|never (?:again|speak)|pigs|we could (?:just )?(?:decide|agree)|let's (?:say|assume|pretend) (?:we|that)|wenn|falls|hätten|letztes jahr|si (?:on|nous|hubiéramos)|el año pasado|l'année dernière)\b/i

/** Revokes an earlier decision. */
export const retractionCue =
  /(?<!\b(?:don't|not|never|can't|won't|let's not|mustn't) )\b(?:forget (?:about )?(?:the|that|it|what|our|my)|scrap|never mind|changed? (?:our|my) minds?|on second thoughts?|rescind|revoke|overturn|undo (?:the|that|our)|reverse (?:the|that|our)|take (?:it|that) back|cancel|let's not|bury)\b|\b(?:can't|cannot|won't|not going to|not) (?:\w+ ){1,6}after all\b|\bafter all,? (?:we|it)\b|\b(?:doesn't|won't|can't) work\b.{0,20}\bafter all\b/i
/** Replaces an earlier decision by a new one. */
export const changeCue =
  /\b(?:instead|rather than|after all|(?:move|push|shift|change|bring|reschedule|postpone|switch)\b.{0,40}\b(?:to|until|from)|not .{2,30} but|replaces?|forget|drop)\b/i
/** Restores a decision that was revoked. */
export const reinstatementCue = /\bback to (?:the|our|plan|option|what)\b|\bgo back to\b|\breturn to (?:the|our)\b/i
export const finalDecisionCue = /\b(?:final decision|finally decided|final answer|decide again|decided again)\b/i

/** "The plan was adopted by all schools": others decided, elsewhere. */
export const decidedElsewhere =
  /\b\w+ we (?:agreed|decided|settled) on$|^we decided,? (?:because|'cause)|\b(?:was|were|has been|have been|had been) (?:\w+ )?(?:adopted|approved|agreed|decided|carried|accepted|passed)\b(?!.{0,20}\b(?:today|now|here)\b).{0,60}\b(?:by|at the start|in (?:19|20)\d\d|last|earlier)\b/i
/** Tells of a decision of some time ago among other things: "the reason is that we decided not to". */
export const toldDecision =
  /\bas (?:we|you) (?:\w+ )?(?:agreed|decided)\b|^\S+ \S+ \S+ \S+ .*\b(?:we|they) (?:\w+ )?(?:decided|agreed|chose|settled)\b|\b(?:decided|agreed) (?:that already|those were|it was|they were)\b|\b(?:email|mail|letter|report|minutes)\b.{0,80}\b(?:decided|agreed)\b/i

/** "Because we've chosen to keep it", "the curves which we decided": tells why or what, and that it was settled before. */
export const settledBefore =
  /\b(?:because|'cause|cuz|since|which|why|how|when|as have|but that) we(?:'ve| have| had)? (?:\w+ )?(?:decided|agreed|chosen|chose|settled)\b|\b(?:thing|things|one|ones|ideas?|features?) (?:that )?we(?:'ve| have| had)? (?:decided|agreed|settled)\b|\bno decision\b|\bthat we(?:'ve| have) approved\b|\bhave we decided\b|\bI think we all agree\b/i

/** Begins a summary of what was settled, which continues over the speaker's next turns. */
export const recapCue =
  /\b(?:wrap (?:this|that|it|things|everything) up|to (?:sum up|summari[sz]e|recap)|let me (?:sum up|summari[sz]e|recap)|in summary|so to conclude|the conclusion is|go away with|what we(?:'ve| have)? (?:decided|agreed|settled)|we(?:'ve| have) (?:decided|agreed) on)\b|\bzusammengefasst\b|\bfassen wir zusammen\b|\ben résumé\b|\ben resumen\b|\briassumendo\b/iu
/** A sentence of such a summary that says what will be. */
export const recapItem =
  /^(?:that |and |so )*we(?:'re| are)? (?:want|will|have|use|take|keep|need|go(?:ing)?|looking at|making|using|include|target|aim)\b|\bincluded\b|^(?:only|without|no) |\bwir (?:nehmen|machen|haben|wollen)\b|\b(?:on|nous) (?:prend|garde|fait)\b/iu

/** "Can I propose that the committee resolves to ...": carried where nobody objects. */
export const resolutionMoved =
  /\b(?:propose|move|invite)\b.{0,120}\b(?:that the (?:committee|council|board|meeting|house)|(?:committee|council|board|house) (?:resolves|agrees|to))\b|\bthe (?:committee|council|board) resolves to\b/i
export const resolutionAsked =
  /\b(?:are (?:all )?(?:the )?(?:members|we|you all) (?:all )?(?:content|agreed|happy)|is (?:everyone|everybody|that|the committee) (?:content|agreed|okay)|any objections?|all in favou?r)\b/i
/** "Okay, so no button for that", "this will be the set", "we stick with two batteries": concludes without a proposal. */
export const shortConclusion =
  /^(?:so )?no \p{L}+(?: \p{L}+){0,3} for (?:that|this|it)$|^(?:this|these|that|those) will be the \p{L}+|\b(?:we(?:'ll)?|let's) (?:just |all )?(?:stick|stay|keep) (?:with|to) \p{L}+|\b(?:it's|that's) what we (?:say|said)\b,?.{6,}/iu
