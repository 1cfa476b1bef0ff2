import type { TranscriptEntry } from '../../src/summarizer/summary.ts'

// Meetings made up for the tests, each of another kind.

/** Lines of `Name: what was said`, ten seconds apart. */
export function spokenIn(lines: string): TranscriptEntry[] {
  return lines
    .trim()
    .split('\n')
    .map((line, i) => {
      const colon = line.indexOf(':')
      const at = (unit: number) => String(unit).padStart(2, '0')
      return {
        speaker: line.slice(0, colon).trim(),
        text: line.slice(colon + 1).trim(),
        timestamp: `00:${at(Math.floor(i / 6))}:${at((i % 6) * 10)}`,
      }
    })
}

export const standUp = spokenIn(`
Mara: Good morning everyone, let's keep this short. Tom, do you want to start?
Tom: Sure. Yesterday I finished the login page and fixed the flaky session test. Today I'm going to work on the password reset flow.
Mara: Any blockers?
Tom: Yeah, the staging mail server rejects our messages, so I can't test the reset mail end to end.
Priya: Oh, I saw that too. The certificate of the mail server expired on Sunday. I'll renew the certificate this morning.
Tom: Great, thanks.
Mara: Priya, what about you?
Priya: I migrated the billing tables to the new schema. The migration took 40 minutes on staging, which is too long for the maintenance window. I think we should split it into two steps.
Mara: How long is the window?
Priya: Thirty minutes.
Mara: Okay. Let's split the migration into two steps and run the first one on Thursday night.
Priya: Agreed.
Leo: I'm still on the export feature. CSV works, but the Excel files break for customers with more than 65,000 rows. I will look into a streaming library today.
Mara: Is the customer in Oslo still waiting for that?
Leo: Yes, they asked again on Friday.
Mara: Leo, can you send them an update by noon?
Leo: Will do.
Mara: Perfect. That's it, thanks everybody.
`)

export const board = spokenIn(`
Chair Okafor: I call the meeting to order. The minutes of the March meeting are approved without changes.
Ms Lindqvist: Thank you, Chair. Revenue for the first quarter was 4.2 million euros, eleven percent above plan. The main driver was the renewal of the hospital contracts in Sweden.
Mr Duarte: What about margins? Last quarter we said that hosting costs were growing faster than revenue.
Ms Lindqvist: Hosting costs grew by eighteen percent. We have renegotiated the contract with the data centre, and the new price takes effect in July.
Mr Duarte: I am worried that the savings come too late for the fiscal year.
Chair Okafor: That is a fair point. Ms Lindqvist, will you prepare a cost forecast before the June meeting?
Ms Lindqvist: Yes, I will prepare the forecast by the end of May.
Dr Weiss: Let me turn to the acquisition of Norlab. The due diligence found two open patent disputes, and the seller refuses to carry the risk.
Mr Duarte: Then the price is too high. I propose that we lower our offer to nine million and ask for an indemnity clause.
Dr Weiss: Seconded.
Chair Okafor: All in favour? The motion is carried unanimously.
Dr Weiss: I'll call the lawyers tomorrow and send the revised offer to Norlab.
Chair Okafor: Finally, the office lease in Hamburg ends in November. We have not decided whether to renew it.
Ms Lindqvist: Only a third of the desks are used on an average day.
Chair Okafor: Then we come back to the lease in June. The meeting is closed.
`)

export const interview = spokenIn(`
Interviewer: Thanks for coming in. Could you tell me about the project you are most proud of?
Candidate: Sure, um, so at my last company I led the rewrite of the, uh, the routing engine for delivery vans. The old engine needed six hours every night to plan the routes of four hundred vans, and when a driver called in sick, nobody could plan again.
Interviewer: And what did you change?
Candidate: I replaced the exact solver with a heuristic that improves the plan all the time. It plans a depot in ninety seconds. Drivers drove about eight percent fewer kilometres.
Interviewer: How did you convince people that a heuristic was good enough?
Candidate: We ran both engines side by side for a month. Dispatchers could compare the plans every morning. That built trust, I think, more than any benchmark.
Interviewer: What went wrong?
Candidate: I underestimated the map data. Half of the loading docks had wrong coordinates, and I should have talked to the drivers much earlier.
Interviewer: Why do you want to leave?
Candidate: The company was bought, and the new owners moved the routing team to another country. I want to keep working on logistics.
Interviewer: What salary are you looking for?
Candidate: Around seventy thousand, but the team matters more to me.
Interviewer: We will get back to you next week.
`)

export const incident = spokenIn(`
Hana: This is the review of the outage on the 14th of May. Checkout was down for 52 minutes and about 1,300 orders failed.
Victor: The trigger was a configuration change at 10:04. It lowered the connection limit of the database from 500 to 50, because the new file lost a zero.
Hana: Why did the review not catch it?
Victor: The diff had 900 lines. Nobody saw the missing zero, and the file has no schema that would refuse such a value.
Imani: The alert fired at 10:06, but it went to the old on-call channel. I only noticed at 10:21 when support called me.
Hana: So we lost fifteen minutes there.
Imani: Exactly. The pager rotation had been moved to the new tool and the alert rule was forgotten.
Victor: Rolling back took another twenty minutes, because the deployment pipeline runs all tests first.
Hana: We need a fast rollback path. Victor, can you design a rollback without the test stage?
Victor: Yes. I'll write a proposal by Friday.
Imani: I will move all alert rules to the new tool by tomorrow and add a test page every Monday.
Hana: And we agreed to add a schema check for the configuration files. Who takes that?
Sven: I can add the schema check next week.
Hana: Good. What about the customers whose orders failed?
Sven: Support has sent apologies to all of them, with a voucher of ten euros.
`)

export const salesCall = spokenIn(`
Nora (Brightline): hi ken thanks for making the time today
Ken: no problem we have about half an hour
Nora (Brightline): great so last time you said your support team answers around two thousand tickets a month and the backlog keeps growing
Ken: right and most of them are about invoices so customers want a copy or they want to change the address
Nora (Brightline): our assistant answers these invoice questions by itself and it hands over to a person when it is not sure
Ken: how does it connect to our billing system because we use an old version of Ledgerly and it has no api
Nora (Brightline): we have a connector for Ledgerly it reads the nightly export so the data is one day old
Ken: one day is fine for invoices but not for payments
Nora (Brightline): understood for payments we would need the upgrade you mentioned
Ken: that upgrade is planned for october so lets start with invoices only
Nora (Brightline): sounds good the pilot costs nine hundred euros a month for three months and you can cancel at any time
Ken: i need to talk to finance about that but the price looks reasonable
Nora (Brightline): i'll send you the pilot contract and the security questionnaire tomorrow
Ken: please add a data processing agreement too our legal team will ask for it
Nora (Brightline): will do and shall we speak again next tuesday
Ken: tuesday at ten works
`)

export const german = spokenIn(`
Anke: Guten Morgen zusammen. Wir sprechen heute über den Umzug des Lagers nach Leipzig.
Jürgen: Die Halle in Leipzig ist 3.500 Quadratmeter groß und kostet z.B. deutlich weniger als die alte Halle in Dresden.
Anke: Wann kann der Umzug beginnen?
Jürgen: Der Vermieter gibt uns die Schlüssel am 1. September. Die Regale müssen vorher von Dr. Vogt geprüft werden.
Sabine: Ich mache mir Sorgen um die Mitarbeiter, die nicht nach Leipzig ziehen wollen.
Anke: Wir haben beschlossen, dass der Umzug im Oktober stattfindet.
Sabine: Dann spreche ich mit dem Betriebsrat über die Fahrtkosten.
`)

export const japanese = spokenIn(`
田中: おはようございます。今日は新しい製品の価格について話し合います。
佐藤: 市場調査によると、お客様は三千円以下の価格を希望しています。競合製品は三千五百円です。
田中: 製造コストはいくらですか？
鈴木: 製造コストは一個あたり千二百円です。包装を変更すれば千円まで下げられます。
佐藤: 包装の変更には二か月かかります。発売日を遅らせる必要があります。
田中: では、価格は二千九百円にします。
`)

export const arabic = spokenIn(`
ليلى: صباح الخير جميعا. نناقش اليوم ميزانية المشروع الجديد للعام القادم.
عمر: الميزانية المقترحة هي خمسون ألف دولار، ومعظمها لتدريب الموظفين الجدد.
ليلى: هل يكفي هذا المبلغ لتدريب الموظفين؟
عمر: نعم، لكن يجب أن نؤجل شراء الأجهزة إلى الصيف.
سارة: أقترح أن نبدأ التدريب في شهر مارس قبل وصول الأجهزة.
`)
