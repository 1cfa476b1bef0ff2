/**
 * A word that is looked for. `word`: as written, in lower case. `forms`: the index terms that it may be, one for each language.
 * `isCommon`: a word such as "the", which only counts where nothing else is there. `isFraming`: a word of a question such as
 * "discuss" or "opinion", which says less than its subject does. `isName`: it is written like a name.
 */
export type QueryTerm = { word: string; forms: string[]; isCommon: boolean; isFraming?: boolean; isName?: boolean }

/** A `QueryTerm` with the number of visible chunks that have any of its forms. */
export type CountedTerm = QueryTerm & { chunkCount: number }

/** Words that stand one after another. */
export type Phrase = QueryTerm[]

/**
 * `terms`: what is ranked by; any of them may match. `required`: of each list, one phrase at least stands in the document.
 * `excluded`: phrases that do not stand in it. `isCut`: there were more than 32 words, and the rest is not looked for.
 */
export type Query = { terms: QueryTerm[]; required: Phrase[][]; excluded: Phrase[]; isCut: boolean }
