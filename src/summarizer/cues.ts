// Data: phrases that carry a meaning for the summarizer. All matched without regard to case.

/** Said while thinking: they carry nothing and are left out of what is quoted. */
export const fillers = {
  any: ['u+h+m+', 'h+m{2,}', 'm+h+m+', 'm+-h+m+', 'mm-hmm', 'uh-huh', 'äh+m?', 'öh+m?', 'euh'],
  en: ['u+h+', 'u+m+', 'e+r+m*', 'a+h+m*', 'h+m+', 'm+h*m+', 'you know,', 'i mean,', 'blah'],
}

/** A dot after these does not end a sentence. */
export const abbreviations = [
  'mr',
  'mrs',
  'ms',
  'dr',
  'prof',
  'st',
  'jr',
  'sr',
  'vs',
  'etc',
  'approx',
  'dept',
  'est',
  'fig',
  'inc',
  'ltd',
  'co',
  'corp',
  'no(?=\\. ?\\d)',
  'gen',
  'gov',
  'sen',
  'rep',
  'hr',
  'fr',
  'nr',
  'bzw',
  'usw',
  'ca',
  'ggf',
  'evtl',
  'inkl',
  'vgl',
  'dipl',
  'ing',
  'sra',
  'sr',
  'mme',
  'jan',
  'feb',
  'aug',
  'sept',
  'oct',
  'nov',
  'dec',
]

/** Endings by which a bare name is taken for an address of the web. */
export const linkEndings = [
  'com',
  'net',
  'org',
  'info',
  'biz',
  'io',
  'dev',
  'app',
  'ai',
  'gov',
  'edu',
  'xyz',
  'site',
  'online',
  'shop',
  'example',
  'invalid',
  'test',
  'local',
  'de',
  'uk',
  'fr',
  'ru',
  'cn',
  'jp',
  'ly',
]

/** Words that open a spoken sentence without belonging to it, with or without a comma after them. */
export const openings = [
  'so',
  'okay',
  'ok',
  'yeah',
  'yep',
  'yup',
  'alright',
  'all right',
  'and',
  'but',
  'or',
  'now',
  'then',
  'anyway',
  'basically',
  'oh',
  'ah',
  'because',
  "'cause",
  'cause',
  "'kay",
  'kay',
  'um',
  'uh',
  'anyhow',
]

/** Openings only before a comma or a new subject: "no fever", "good news", "see page 3" mean what they say. */
export const setOffOpenings = [
  'well',
  'yes',
  'yes please',
  'no thanks',
  'right',
  'actually',
  'honestly',
  'sure',
  'great',
  'perfect',
  'good',
  'fine',
  'also',
  'you know',
  'i mean',
  'no',
  'thanks',
  'thank you',
  'exactly',
  'cool',
  'hi',
  'hello',
  'hey',
  'hi all',
  'hi everyone',
  'good morning',
  'good afternoon',
  'indeed',
  'of course',
  'again',
  'plus',
  'finally',
  'lastly',
  'secondly',
  'first of all',
]

/** What opens a sentence in a language other than English, before a comma. "Nicht" and "no" are never among them. */
export const foreignOpenings = ['okay', 'ok', 'also', 'ja', 'na ja', 'naja', 'sí', 'bueno', 'pues', 'oui', 'ben', 'bon']

/** Hedges before what is meant, and the verb that reports them. */
export const hedges: readonly (readonly [string, string])[] = [
  ['i think', 'thought'],
  ['i believe', 'believed'],
  ['i feel', 'felt'],
  ['i feel like', 'felt'],
  ['i guess', 'supposed'],
  ['i suppose', 'supposed'],
  ['i would say', 'said'],
  ["i'd say", 'said'],
  ['i suggest', 'suggested'],
  ['i propose', 'proposed'],
  ['i recommend', 'recommended'],
  ['i expect', 'expected'],
  ['i hope', 'hoped'],
  ["i'm sure", 'was sure'],
  ['i noticed', 'noticed'],
  ['i agree', 'agreed'],
]

/** Signs in a sentence and the verb by which it is quoted; the first that fits wins. */
export const verbCues: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:i suggest|i propose|i recommend|how about|what about|why don't we|let's|we should|we could|maybe we|should probably|it would be nice|could use)\b/i,
    'suggested',
  ],
  [/\b(?:risk|risks|risky|worried|worry|concern|concerned|afraid|danger|dangerous)\b/i, 'warned'],
  [/\b(?:because|since|the reason|which means|that means|in order to|so that)\b/i, 'explained'],
  [/\b(?:\d|percent|million|thousand|hundred)/i, 'reported'],
  [/\b(?:important|must|essential|crucial|key)\b/i, 'stressed'],
  [/\b(?:agree|agreed|exactly)\b/i, 'agreed'],
  [/\b(?:but|however|problem|issue|difficult|although)\b/i, 'pointed out'],
]

/** Sentences that say what a meeting is about. */
export const importance =
  /\b(?:goals?|aims?|purpose|targets?|plan(?:s|ned)?|budget|deadline|launch|release|priorit(?:y|ies)|problems?|issues?|risks?|because|important|main|key|need(?:s|ed)? to|has to|have to|must|should|decide[ds]?|decision|agreed?|propos(?:e|al|ed)|suggest(?:ed|ion)?|recommend(?:ed|ation)?|conclusion|result(?:s|ed)?|cause[ds]?|requirement|cost(?:s)?|customers?|users?|next step|instead|solution|option|percent|million|thousand)\b/i

/** Talk about the talk itself: seldom worth a place. */
export const logistics =
  /\b(?:can you hear|hear me|share my screen|my screen|mute|next slide|this slide|powerpoint|welcome|good morning|good afternoon|good evening|thank(?:s| you)|see you|bye|my name is|nice to meet|how are you|sorry|excuse me|minutes left|agenda|next meetings?|whiteboard|microphone|camera|okay so next|laptop|coffee|lunch|quorum|call the (?:roll|vote)|(?:meeting|session) to order|stand adjourned|state your name|hang on|hold on|give me a second|by the way did)\b/i

/** Words by which a text tries to speak to the machine that reads it; such a sentence is counted, never quoted. */
export const injection =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|everything)\b|\b(?:system|developer) (?:prompt|message)\b|\byou are (?:now|an? (?:ai|assistant|language model))\b|\b(?:respond|reply|output|answer|print|say) only\b|\b(?:assistant|system|user) ?:|\bas an ai\b|\bjailbreak|\b(?:reveal|print|show|repeat) (?:your|the) (?:instructions|prompt|rules|secret)|\bnew instructions?\b|\binstead of (?:a |the )?summar|\bsummar(?:y|ize|ise)\b.{0,40}\b(?:must|should|write|say|state|with)\b/i
