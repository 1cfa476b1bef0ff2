// Data: the verb that reports a sentence ("thought that", "suggested"), by the words in it. Case does not matter.

/** Opening words that soften a statement, and the verb that reports them. */
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

/** Words in a sentence and the verb that reports it. The first match wins. */
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
