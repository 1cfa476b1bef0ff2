/** "wrote", as mail programs say it. */
const wrote = [
  ...[
    'wrote',
    'schrieb',
    'a écrit',
    'écrit :',
    'escribió',
    'ha scritto',
    'scrisse',
    'escreveu',
    'schreef',
    'geschreven',
  ],
  ...['skrev', 'kirjoitti', 'napsal', 'napísal', 'pisze', 'napisał', 'írta', 'a scris', 'έγραψε', 'написал', 'пишет'],
  ...[
    'пише',
    'написа',
    'yazdı',
    'viết',
    'menulis',
    'napisao',
    'je napisal',
    '写道',
    '寫道',
    'のメッセージ',
    '작성',
    'wrote the following',
  ],
]

/** Whether a text is one like "On Monday, 1 June 2026 at 10:00, Ben <ben@example.com> wrote:". */
export function isAttribution(text: string): boolean {
  const line = text.trim()
  if (line.length > 600 || !/[:：]$/.test(line) || !/\d|@/.test(line)) return false
  const lower = line.toLowerCase()
  return wrote.some((word) => lower.includes(word))
}

const forward =
  /^\s{0,3}-{2,30}\s{0,3}(?:original message|original appointment|forwarded message|begin forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d['’]origine|message transféré|message original|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|mensagem original|mensagem encaminhada|oorspronkelijk bericht|doorgestuurd bericht|oprindelig besked|opprinnelig melding|ursprungligt meddelande|alkuperäinen viesti|oryginalna wiadomość|původní zpráva|исходное сообщение|пересылаемое сообщение|原始邮件|原始郵件|元のメッセージ|원본 메시지)\s{0,3}-{0,30}\s{0,3}$/i
const appleForward =
  /^\s{0,3}(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié|inizio messaggio inoltrato|inicio del mensaje reenviado)\s?:\s{0,3}$/i

/** Whether a line stands above a quoted or forwarded mail. */
export const isForwardLine = (line: string): boolean =>
  line.length < 200 && (forward.test(line) || appleForward.test(line))

const fromField =
  /^\s{0,3}\*{0,2}(?:from|von|de|da|van|från|fra|lähettäjä|od|от|від|kimden|发件人|寄件者|差出人|보낸 사람)\s?\*{0,2}\s?[:：]\*{0,2}\s?\S/i
const otherField =
  /^\s{0,3}\*{0,2}(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado(?: el)?|fecha|para|asunto|inviato|data|a|oggetto|assunto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|lähetetty|vastaanottaja|aihe|wysłano|do|temat|odesláno|komu|předmět|отправлено|дата|кому|тема|gönderildi|kime|konu|发送时间|收件人|主题|寄件日期|收件者|主旨|送信日時|宛先|件名|보낸 날짜|받는 사람|제목)\s?\*{0,2}\s?[:：]/i

/** Whether the header of a quoted mail begins here, as Outlook writes it: From, and two more fields in the next lines. */
export function isHeaderBlock(lines: readonly string[], from: number): boolean {
  const field = (line: string) => line.slice(0, 60)
  if (!fromField.test(field(lines[from] ?? ''))) return false
  return lines.slice(from + 1, from + 6).filter((line) => otherField.test(field(line))).length >= 2
}

const mobile =
  /^\s{0,3}(?:sent (?:from|with|via) |get outlook for |gesendet (?:von|mit) |von meine[mr] .{1,40} gesendet|outlook für .{1,20} beziehen|envoyé (?:de|depuis|à partir de) |télécharger outlook |obtenez outlook |enviado (?:desde|do|de) |obtener outlook |inviato da |scarica outlook |verzonden (?:vanaf|met) |verstuurd vanaf |skickat från |sendt fra |lähetetty |wysłane z |odesláno z |отправлено с |从我的|发自我的|iphoneから送信)/i

/** "Sent from my iPhone", and the like. */
export const isMobileLine = (line: string): boolean => line.length < 100 && mobile.test(line) && !/[?]\s*$/.test(line)

const closing =
  /^(?:(?:with )?(?:(?:best|kind|kindest|warm|warmest|many) )?(?:regards|wishes)|best|cheers|sincerely(?: yours)?|yours (?:sincerely|truly|faithfully)|all the best|(?:many )?thanks(?: (?:again|a lot|so much))?|thank you(?: very much)?|thx|(?:mit )?(?:freundlichen|besten|herzlichen|lieben|vielen) grüßen|(?:viele|liebe|beste|schöne|herzliche|freundliche) grüße|gruß|lg|vg|mfg|(?:bien )?cordialement|bien à vous|(?:un )?saludos?(?: cordiales)?|atentamente|cordiali saluti|distinti saluti|saluti|atenciosamente|abraços|met vriendelijke groet(?:en)?|groeten|med vänlig(?:a)? hälsning(?:ar)?|(?:med )?venlig hilsen|mvh|terveisin|pozdrawiam|s pozdravem|с уважением|此致|敬具|よろしくお願いします|감사합니다)\s?[,.!–—-]{0,2}$/i

/** Whether a line is no more than "Best regards". */
export const isClosing = (line: string): boolean => line.length < 60 && closing.test(line)
