/** Where nobody reads: whole local parts, as words of them, or at their beginning. */
const daemons = new Set(
  [
    'mailer-daemon',
    'mailer_daemon',
    'mailerdaemon',
    'daemon',
    'postmaster',
    'mdaemon',
    'maildaemon',
    'root',
    'nobody',
  ].concat(
    ['bounce', 'bounces', 'bounced', 'autoreply', 'auto-reply', 'autoresponder', 'autoresponse', 'auto-confirm'],
    ['listserv', 'majordomo', 'mailman', 'sympa', 'abuse-report', 'devnull', 'null', 'cron', 'www-data', 'apache'],
    ['notification', 'notifications', 'alert', 'alerts', 'automailer', 'mailer', 'system-mail', 'double-bounce'],
  ),
)
const noReply =
  /(?:^|[._+=-])(?:no|not|non|never|do-?not|do_not|dont|don-t|nao|nicht|keine|ne-pas|nepas|ingen)[._-]?(?:reply|replies|respond|response|antwort(?:en)?|repondre|responder|rispondere|svar)(?:$|[._+=\d-])/
/** As in `bounce+7f3a=ana@lists.example`, and in the envelope senders of bulk mailers. `prvs=` (BATV) marks mails of people. */
const beginning = /^(?:(?:bounces?|mailer-daemon|noreply)[+=_-]|msprvs\d|owner-|unsubscribe[+-])/
const ending = /-(?:bounces?|daemon|owner)$/

/** Whether an address is one of a mail server, a program, or a mailbox that nobody reads. */
export function isSystemAddress(address: string): boolean {
  const local = localPart(address)
  return daemons.has(local) || noReply.test(local) || beginning.test(local) || ending.test(local)
}

/** In lower case; longer ones than a mail can have are cut. */
function localPart(address: string): string {
  const at = address.lastIndexOf('@')
  return (at === -1 ? address : address.slice(0, at)).trim().toLowerCase().slice(0, 256)
}
