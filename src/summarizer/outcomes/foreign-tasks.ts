// Data: promises, requests and assignments in German, Spanish, French and Italian.

type ForeignTasks = { promise: RegExp; dated: RegExp; offer: RegExp; request: RegExp; assigned: RegExp; not: RegExp }
/**
 * `request` and `assigned` follow a name. `dated` counts only with a date, `offer` if somebody wants it. `not`: what is
 * imagined, denied, or about the talk.
 */
export const foreignTasks: Readonly<Record<string, ForeignTasks>> = {
  de: {
    promise:
      /\b(?:ich (?:werde (?!nicht)|kümmere mich|übernehme|erledige|bestelle|organisiere|besorge|bereite|erstelle|schicke|informiere)|mache? ich\b)/i,
    dated:
      /\bich (?!bin|habe|hab|hatte|war|denke|glaube|finde|weiß|hoffe|würde|muss|möchte|kann nicht|will|komme)\p{Ll}+\b/iu,
    request:
      /^,? (?:(?:kannst|könntest|würdest|machst|übernimmst|schickst|holst|rufst|prüfst|schreibst|klärst|organisierst) du|(?!haben|hatten|sind|waren|wissen|meinen|denken|glauben|sehen|hören|kennen|wollen|möchten)\p{Ll}+en Sie)\b(?!.*\b(?:kurz|berichten|sagen|erklären|erzählen|anfangen|hören)\b)|^,? (?:wird|soll) .{4,}/iu,
    offer: /\b(?:kann|könnte) ich (?:\p{L}+ )*\p{Ll}+en\b|\bich (?:kann|könnte) (?:\p{L}+ )+\p{Ll}+en\b/iu,
    assigned:
      /^ (?:reserviert|richtet|bestellt|übernimmt|kümmert sich|schreibt|schickt|organisiert|macht|ruft|klärt|prüft|holt|bringt|besorgt|erstellt|bereitet|fragt|bucht|kauft|informiert|wird|soll) .{4,}/iu,
    not: /\b(?:nicht mehr|würde|hätte|könnte|wenn ich|wenn wir|vielleicht|Bildschirm|keine?)\b/i,
  },
  es: {
    promise:
      /\b(?:voy a (?!ser|estar|decir|explicar)\p{L}+r|me encargo|yo (?:puedo )?(?:hablo|llamo|escribo|redacto|preparo|envío|mando|compro|pido|busco|reviso|hago|recog\p{L}+|prepar\p{L}+|llam\p{L}+|escrib\p{L}+|busc\p{L}+|organiz\p{L}+))/iu,
    dated:
      /^(?:(?:yo|lo|la|los|las|le|les|os|claro|sí|vale|bien|perfecto|y),? )+(?!no )(?:\p{L}{2,}[^aeis\s,]o|envío|hago|pido|\p{L}{2,}aré|\p{L}{2,}eré|\p{L}{2,}iré)(?![\p{L}])/iu,
    request: /^,? ¿?(?:puedes|podrías|puede|podría|quieres|te encargas|se encarga)\b/iu,
    offer: /\b(?:puedo|podría) (?:yo )?\p{L}+(?:ar|er|ir)(?:l[oae]s?)?(?!\p{L})/iu,
    assigned:
      /^ (?:va a (?!ser|estar)\p{L}+r|se encarga|prepara|pide|llama|escribe|manda|envía|compra|organiza|hace)(?!\p{L})/iu,
    not: /\b(?:si yo|si tuviéramos|podría(?!s)|quizás|tal vez|ojalá|no hace falta|(?:compartir|subir|repetir|explicar|enseñar|mostrar)(?: la)?(?: pantalla)?)\b/i,
  },
  fr: {
    promise:
      /\b(?:je vais (?!être|avoir|vous (?:dire|expliquer|montrer)|dire|expliquer|montrer)(?:(?:le|la|les|lui|leur|te|vous) )?\p{L}+r|je (?:m'occupe|m'en occupe|me charge|m'en charge|prends en charge))/iu,
    dated:
      /\bje (?:(?:te|vous|leur|lui|le|la|les|t'|l') ?)*(?!suis|pense|crois|trouve|sais|peux|veux|ne )\p{L}+(?:e|s)\b/iu,
    request:
      /^,? (?:est-ce que )?(?:tu peux|peux-tu|tu pourrais|pourrais-tu|vous pouvez|pouvez-vous|pourriez-vous|vous pourriez)\b/iu,
    offer: /\bje peux (?:(?:le|la|les|l'|vous|te) ?)?\p{L}+(?:er|ir|re)(?!\p{L})/iu,
    assigned:
      /^ (?:va (?!être|avoir)\p{L}+(?:er|ir|re)|doit|s'occupe|se charge|prépare|envoie|appelle|écrit|réserve|rédige)(?!\p{L})/iu,
    not: /\b(?:si je|si on|peut-être|je pourrais|n'ai pas besoin|remonter|répéter|partager)\b/i,
  },
  it: {
    promise:
      /\b(?:ci penso io|me ne occupo(?: io)?|ci penso|mi occupo|(?:lo|la|li|le) (?:scrivo|faccio|mando|chiamo|preparo|prenoto|compro|chiedo) io)(?!\p{L})/iu,
    dated:
      /(?:^|, |\b(?:io|e|sì) )(?:(?:lo|la|li|le|gli|vi|ti|ne) )*(?!penso|credo|sono|ho|devo|vorrei|voglio|posso|non)\p{L}{3,}o(?!\p{L})/iu,
    offer: /\b(?:posso|potrei) \p{L}+(?:are|ere|ire|ar[elo]+)(?!\p{L})/iu,
    request: /^,? (?:puoi|potresti|può|potrebbe|vuoi|ti occupi|gliel[oa] \p{L}+ tu)(?!\p{L})/iu,
    assigned:
      /^ (?:si occupa|scrive|prepara|chiama|manda|prenota|compra|chiede|organizza|farà|va a \p{L}+re)(?!\p{L})/iu,
    not: /\b(?:se avessimo|se io|forse|magari|non serve|non ti|condividere|ripetere)\b/i,
  },
}
