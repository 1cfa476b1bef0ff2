import type { Language } from '../language/language.ts'

const split = (list: string) => new Set(list.split(/\s+/))

/** Written before a name or a number, so that no sentence ends there. Without their last dot, in lower case. */
const everywhere =
  split(`dr prof mr mrs ms st jr sr vs no nr vol fig al approx dept est inc ltd co corp gen col capt lt sgt rev hon gov sen rep pres
  e.g i.e z.b d.h u.a o.ä i.d.r p.ex ca cf eq sec ch pp op ed eds jan feb mar apr jun jul aug sep sept oct nov dec`)

const byLanguage: Partial<Record<Language, Set<string>>> = {
  de: split(`abb abs abt allg art aufl bd bde bes bsp bspw bzgl bzw dez dipl ehem einschl engl etc evtl exkl frz geb gegr ggf griech
    hl hr hrn fr hrsg inkl ing insb jh jhd jhs kap kath lat lt max min mio mrd n.chr v.chr chr okt mai ev röm s.o s.u sog std str tel u.s.w usw
    verh vgl ggü wiss z.t zit zt`),
  fr: split(`m mm mme mlle mgr av apr j.-c env ex hab sté éd p chap art etc tél janv févr avr juil déc`),
  es: split(`sr sra sres srta dña ud uds ee ee.uu ej pág págs cap art aprox av avda etc núm tel d.c a.c`),
  it: split(`sig sig.ra dott dott.ssa ing avv on pag cap art ecc es a.c d.c tel`),
  pt: split(`sr sra sras srs exmo exma pág cap art etc tel a.c d.c`),
  nl: split(`dhr mevr bijv d.w.z enz ca blz nl o.a t.o.v m.b.t`),
  sv: split(`t.ex bl.a dvs ca kl s.k m.m osv`),
  da: split(`f.eks bl.a dvs ca kl mv osv`),
  no: split(`f.eks bl.a dvs ca kl mv osv`),
  ru: split(`г гг в вв т.е т.д т.п т.к т.н ул им проф акад руб коп тыс млн млрд стр рис см н.э`),
  ro: split(`dl dna dr nr str art alin etc`),
  tr: split(`dr prof sn vb vs bkz yy m.ö m.s`),
}

/** Languages that write "the 3rd" as "3." */
const ordinalDots = new Set<Language>(['de', 'da', 'no', 'fi', 'hu', 'tr', 'sr', 'lt'])

export const hasOrdinalDots = (language: Language): boolean => ordinalDots.has(language)

export function isAbbreviation(word: string, language: Language): boolean {
  const lower = word.toLowerCase()
  return everywhere.has(lower) || byLanguage[language]?.has(lower) === true
}
