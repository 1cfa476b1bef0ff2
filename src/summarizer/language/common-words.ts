// Data: English words that are frequent in any conversation, so they say little about one meeting.
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean))

/** Verbs, adverbs and judgements, in their spoken forms. They are never part of a topic. */
export const notTopics: ReadonlySet<string> = words(`
  able about nobody anybody somebody everybody absolutely accept accepted accepting add added adding agree agreed agrees allow allows almost alone along already always amazing another
  answer appear appears apply apply around ask asked asking away awesome back bad became become becomes becoming began begin believe best better big
  bring bringing brings brought build building built busy buy buying call called calling calls care careful carry certain certainly change changed
  changes changing check checked checking choose chosen clear clearly close closed compare completely confirm consider considered continue convinced
  correct couple course create created currently cut deal decide decided definitely depend depends describe different difficult discuss discussed
  discussing done drop due early easier easiest easily easy effectively eight end ended ends enough especially essentially eventually exact
  exactly expect expected explain explained extra fact fair fairly far fast favorite favourite feel feels felt fifteen fifty figure finally find finding
  finish finished five fix fixed follow following forget found four full fully funny generally getting give given gives giving glad guys half hand handle
  happen happened happening happens happy hard hear heard help helpful helps high hold hope hopefully hoping huge hundred imagine immediately important
  include included includes including instead interested interesting introduce involved join keep keeping keeps kept kinda knew knowing known knows large last
  late later lead learn least leave left less letting likely limited listen little live long longer looked looks lose loss lost love low mainly
  manage matter mention mentioned middle mind miss missing moment month morning move moved moving naturally near nearly necessarily necessary never new next
  nine none normal normally note noted notice obvious obviously often old open opened original originally part particular particularly past pay
  people perfect perfectly person personally pick place plus point possible possibly prefer prepare presumably pretty previous probably properly provide provided
  pull push putting question quick quickly quiet rarely reach read reading ready real realise realize reason receive recently relevant remember remove replace
  reply responsible rest result run running runs safe seem seemed seems seven several share short show showed showing shown shows side similar
  simple simply single sit six slightly slow slowly small somehow sometimes somewhere soon speak speaking specific specifically spend spent stand start
  started starting starts stay step still stop stopped straight strong strongly stuck suddenly suggest suggested suggesting suppose supposed surely suspect taken
  taking talk talked talking tell telling ten tend terms terrible thirty thought thoughts tiny today together told tomorrow tonight totally towards tried tries
  true truly try trying turn turned twelve twenty twice type typically ugly understand understood unfortunately use used useful uses using usual usually various
  view wait waiting walk wanting watch week weeks weird welcome whatever whenever wherever whole willing wish won wonder wonderful wondering word words work
  worked working works worry worst worth wow write writing wrong wrote yesterday year years you'd yours you're minute minutes hour hours day days time times
  number idea ideas example name names everyone's fun cool lovely basic overall current general quite hello goodbye let's exact sense anymore ago ahead
  according across actual basis bunch case cases cool doubt else entire equal experience extremely fairly fewer forward further given gives hardly highly honest
  individual kinds level likes lots main major many maximum minimum nearer needing none obviously occasionally opposite ourself ourself overall piece pieces
  possibility precisely purposes quarter range rather recall regular regarding relatively seriously set sets setting situation sort sorts spot state stated
  stuff sudden super task term third top total trouble unit unless upper usual variety vast way ways wherever wide worse yep
  positive negative available save saved one ones whoever separate favour wide reasonable sensible useless impossible acceptable advantage disadvantage
  annoying boring attractive comfortable convenient ideal nicer cheaper bigger smaller larger longer shorter faster slower newer older greater higher lower stronger
  press pushed click clicked drop dropped happens popular special serious whatsoever amount effort sound sounds smart worried worry understanding learning
  bring check confirm double finish ask answer send sent sends share mail ship shipped stuff chance luck reminder thanks agreed approve approved question questions
  million thousand billion percent monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
  proud led worried afraid morning afternoon evening spring summer autumn winter anybody's third fourth fewer
  among except whereas otherwise throughout versus underneath behind earlier sometime awhile nowadays means minus equals etcetera cetera whatnot
  thingy sorta neat excuse meant gave bought drew drawn tells huh ooh oops woah whoohoo ish non multi pre sub tha wha whe dis gon nee nuh nnn yous
  somewhat entirely hence besides beyond anyways afterwards beforehand meanwhile regardless respectively unlike toward rid forth onwards`)

/** Words for meetings themselves and for the roles in them. */
export const meetingWords: ReadonlySet<string> = words(`
  meeting meetings agenda team teams group member members everybody participants participant speaker speakers discussion presentation powerpoint slide slides
  minutes notes project manager chair chairman chairperson chairwoman host mister miss missus doctor professor colleagues colleague folks guys ladies gentlemen
  laptop screen microphone whiteboard board email mail summary item items topic topics afternoon kick-off`)

/**
 * Numbers, days, months, and measures of time and money in German, Spanish and French, and numbers in English. They are
 * never a topic.
 */
export const timeWords: ReadonlySet<string> = words(`
  six seven eight nine ten eleven twelve thirteen fourteen sixteen seventeen eighteen nineteen twenty thirty forty sixty seventy eighty ninety hundred
  hundreds thousand thousands guy guys numbers final
  montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober november dezember
  uhr tag tage tagen woche wochen monat monate monaten jahr jahre jahren stunde stunden minute minuten euro euros prozent ende anfang mal punkt kalenderwoche
  quartal heute morgen abend nachmittag
  lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  día días semana semanas mes meses año años hora horas minuto minutos uno dos tres cuatro cinco seis siete ocho nueve diez cien ciento mil tarde tardes
  noche noches buenas buenos gracias acuerdo estamos dice
  lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre décembre
  jour jours semaine semaines mois année années heure heures matin soir un deux trois quatre cinq six sept huit neuf dix cent mille merci bonjour accord`)
