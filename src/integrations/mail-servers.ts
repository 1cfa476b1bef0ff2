export type MailServer = { host: string; port: number; security: 'tls' | 'starttls' | 'none' }

export type MailServers = Record<'google' | 'microsoft', { smtp: MailServer; imap: MailServer }>

/** https://developers.google.com/workspace/gmail/imap/imap-smtp, https://learn.microsoft.com/exchange/client-developer/legacy-protocols */
export const serversOfProviders: MailServers = {
  google: {
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
  },
  microsoft: {
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
    imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
  },
}
