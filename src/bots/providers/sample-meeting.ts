import type { Line } from './script.ts'

const said = (seconds: number, speaker: string, text: string): Line => ({
  offsetMs: seconds * 1000,
  speaker,
  text,
  kind: 'speech',
})
const wrote = (seconds: number, speaker: string, text: string): Line => ({
  offsetMs: seconds * 1000,
  speaker,
  text,
  kind: 'chat',
})

/** A meeting of three minutes, written for this project, so that a new installation can show everything. */
export const sampleMeeting: Line[] = [
  wrote(2, 'Mara Lindqvist', '!agree'),
  said(4, 'Mara Lindqvist', 'Good morning. Today we decide when the new booking page goes live.'),
  said(
    12,
    'Tomas Okafor',
    'The page is finished. The load test ran last night, and it served four hundred bookings a minute.',
  ),
  said(22, 'Ines Duarte', 'That is twice what we need at the start of the season.'),
  said(29, 'Mara Lindqvist', 'What is still open?'),
  said(33, 'Tomas Okafor', 'The confirmation mail still has the old address of the support team.'),
  said(41, 'Ines Duarte', 'I can change the mail by Wednesday.'),
  wrote(46, 'Ines Duarte', 'The new address is help@booking.example.'),
  said(52, 'Mara Lindqvist', 'Good. Who tells the hotels about the new page?'),
  said(58, 'Tomas Okafor', 'I will write to all hotels on Thursday morning, with a short guide.'),
  said(67, 'Ines Duarte', 'Some hotels in the north print the bookings. The print view is still wrong on long names.'),
  said(77, 'Tomas Okafor', 'That is a small fix. I will repair the print view today.'),
  said(84, 'Mara Lindqvist', 'Then we have no reason to wait. Does anybody object to Monday?'),
  said(91, 'Ines Duarte', 'Monday is a holiday in two of our regions. Tuesday would be safer.'),
  said(99, 'Tomas Okafor', 'Tuesday is fine for me.'),
  said(103, 'Mara Lindqvist', 'Then we decide: the booking page goes live on Tuesday at nine.'),
  said(111, 'Ines Duarte', 'What do we do if the old page still gets visitors?'),
  said(118, 'Tomas Okafor', 'We redirect them for three months, and then we switch the old page off.'),
  said(127, 'Mara Lindqvist', 'Agreed. Ines, please watch the complaints during the first week.'),
  said(134, 'Ines Duarte', 'I will send a summary of the complaints every evening.'),
  said(141, 'Mara Lindqvist', 'Is there anything else?'),
  said(145, 'Tomas Okafor', 'No, thank you.'),
  said(148, 'Mara Lindqvist', 'Thank you both. We meet again on Wednesday.'),
]
