import { splitWords } from '../words/split-words.ts'

const words = new Set(
  `no not never none nobody nothing neither nor nowhere without cannot t nicht kein keine keinem keinen keiner keines nie niemals niemand nichts weder ohne
  ne n pas jamais aucun aucune rien sans ni nunca jamás nadie nada ningún ninguno ninguna sin tampoco non mai nessun nessuno nessuna niente nulla senza né
  não ninguém nenhum nenhuma sem nem niet geen nooit niemand niets zonder inte ingen inget aldrig ikke ikkje ingenting aldri utan uten uden
  не нет ни никогда никто ничего без ні немає ніколи değil yok hiç hiçbir δεν μην ούτε ποτέ κανείς nu nici fără niciodată لا لم لن ليس ليست غير بدون
  नहीं न मत बिना không chưa chẳng tidak bukan belum tanpa ei eivät nem nincs soha`.split(/\s+/),
)
/** Of scripts without spaces, where a word is no token. */
const letters = /[不没沒無无未非别勿]|ない|なかっ|ません|않|없|못|ไม่/u

/** Whether a text denies something, by the words of any language. "Don't" has its "t" apart. */
export function isNegated(text: string): boolean {
  return letters.test(text) || splitWords(text).some((word) => words.has(word.text.toLowerCase()))
}
