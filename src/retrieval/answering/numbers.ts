import { splitWords } from '../words/split-words.ts'
import { termFor } from '../words/term.ts'

const values: readonly (readonly [string, string])[] = [
  ['2', 'two zwei deux dos due dois twee två to два iki'],
  ['3', 'three drei trois tres tre três drie три üç'],
  ['4', 'four vier quatre cuatro quattro quatro fyra fire четыре dört'],
  ['5', 'five fünf cinq cinco cinque vijf fem пять beş'],
  ['6', 'six sechs seis sei zes sex seks шесть altı'],
  ['7', 'seven sieben sept siete sette sete zeven sju syv семь yedi'],
  ['8', 'eight acht huit ocho otto oito åtta åtte восемь sekiz'],
  ['9', 'nine neun neuf nueve nove negen nio ni девять dokuz'],
  ['10', 'ten zehn dix diez dieci dez tien tio ti десять'],
  ['11', 'eleven elf onze once undici elva elleve одиннадцать'],
  ['12', 'twelve zwölf douze doce dodici doze twaalf tolv двенадцать'],
  ['20', 'twenty zwanzig vingt veinte venti vinte twintig tjugo двадцать'],
  ['30', 'thirty dreißig trente treinta trenta trinta dertig тридцать'],
  ['40', 'forty vierzig quarante cuarenta quaranta quarenta veertig'],
  ['50', 'fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig'],
  ['60', 'sixty sechzig soixante sesenta sessanta sessenta zestig'],
  ['70', 'seventy siebzig septante setenta settanta zeventig'],
  ['80', 'eighty achtzig ochenta ottanta oitenta tachtig'],
  ['90', 'ninety neunzig noventa novanta negentig'],
  ['100', 'hundred hundert cent cien ciento cento cem honderd hundra сто'],
  ['1000', 'thousand tausend mille mil mila duizend tusen тысяча тысяч'],
  ['1000000', 'million millionen millions millón millones milione milioni milhão milhões miljoen миллион миллионов'],
]
const valueByWord = new Map(values.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)))

/** Whether a word is one that stands for a number, in any of the languages of the table. */
export const isNumberWord = (word: string): boolean => valueByWord.has(word.toLowerCase())

/** The numbers of a text, each in one spelling: "1,200" is 1200, "twenty" is 20. */
export function findNumbers(text: string): Set<string> {
  const found = new Set<string>()
  for (const { text: word } of splitWords(text)) {
    const value = valueByWord.get(word.toLowerCase())
    if (value !== undefined) found.add(value)
    else if (/\p{N}/u.test(word)) found.add(termFor(word, 'und'))
  }
  return found
}
