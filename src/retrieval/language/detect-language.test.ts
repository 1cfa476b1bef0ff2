import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectLanguage } from './detect-language.ts'

const examples = {
  en: 'The board decided to move the meeting to the second week of May.',
  de: 'Der Vorstand hat beschlossen, die Sitzung auf die zweite Woche im Mai zu verlegen.',
  fr: 'Le conseil a décidé de déplacer la réunion à la deuxième semaine de mai.',
  es: 'El consejo decidió trasladar la reunión a la segunda semana de mayo.',
  it: 'Il consiglio ha deciso di spostare la riunione alla seconda settimana di maggio.',
  pt: 'O conselho decidiu transferir a reunião para a segunda semana de maio.',
  nl: 'Het bestuur heeft besloten de vergadering naar de tweede week van mei te verplaatsen.',
  sv: 'Styrelsen har beslutat att flytta mötet till den andra veckan i maj.',
  ru: 'Правление решило перенести заседание на вторую неделю мая, как это было и раньше.',
  uk: 'Правління вирішило перенести засідання на другий тиждень травня, як це було і раніше.',
  ar: 'قرر المجلس نقل الاجتماع إلى الأسبوع الثاني من مايو على أن يكون ذلك في المكتب',
  hi: 'बोर्ड ने बैठक को मई के दूसरे सप्ताह में ले जाने का फैसला किया है।',
  el: 'Το συμβούλιο αποφάσισε να μεταφέρει τη συνεδρίαση.',
  tr: 'Yönetim kurulu toplantıyı mayıs ayının ikinci haftasına ve daha sonra bir güne ertelemek için karar verdi.',
  vi: 'Hội đồng quản trị đã quyết định dời cuộc họp sang tuần thứ hai của tháng năm.',
  zh: '董事会决定将会议推迟到五月的第二周。',
  ja: '取締役会は会議を五月の第二週に移すことを決めました。',
  ko: '이사회는 회의를 오월 둘째 주로 옮기기로 했습니다.',
  th: 'คณะกรรมการตัดสินใจเลื่อนการประชุมไปเป็นสัปดาห์ที่สองของเดือนพฤษภาคม',
} as const

test('the language of a sentence is known by its script and its function words', () => {
  for (const [language, text] of Object.entries(examples)) assert.equal(detectLanguage(text), language)
})

test('texts without words of a known language have none', () => {
  for (const text of ['', '12 34 !!', 'AB-1200 X7', 'Lorem Dolor Amet']) assert.equal(detectLanguage(text), 'und')
})
