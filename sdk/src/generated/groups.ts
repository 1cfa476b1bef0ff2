// Generated from openapi/api.json by `npm run generate`.
import type { Method } from '../method.ts'

export interface AppGroups {
  system: {
    /** Check the service and its dependencies. `GET /health` */
    health: Method<'health'>
    /** Check that the process runs. `GET /health/live` */
    healthLive: Method<'healthLive'>
  }
  catalog: {
    /** List the public products. `GET /products` */
    listProducts: Method<'listProducts'>
    /** Get a product. `GET /products/{slug}` */
    getProduct: Method<'getProduct'>
    /** List and search the docs of a product. `GET /products/{slug}/docs` */
    listDocs: Method<'listDocs'>
    /** Get a public doc of a product. `GET /products/{slug}/docs/{docSlug}` */
    getDoc: Method<'getDoc'>
    /** Export all docs of a product as one Markdown file. `GET /products/{slug}/docs.md` */
    exportDocs: Method<'exportDocs'>
    /** List the versions of a product, newest first. `GET /products/{slug}/versions` */
    listVersions: Method<'listVersions'>
    /** Download a file of a product. `GET /products/{slug}/downloads/{id}` */
    download: Method<'download'>
  }
  content: {
    /** List the public pages. `GET /cms/pages` */
    listPages: Method<'listPublicPages'>
    /** Get a page. `GET /cms/pages/{slug}` */
    getPage: Method<'getPublicPage'>
    /** Get the current homepage. `GET /cms/homepage` */
    getHomepage: Method<'getHomepage'>
    /** Get content blocks. `GET /cms/blocks` */
    listBlocks: Method<'listPublicBlocks'>
    /** Get a content block. `GET /cms/blocks/{key}` */
    getBlock: Method<'getPublicBlock'>
  }
  media: {
    /** Get the bytes of a file or of one of its variants. `GET /media/{hash}/{name}` */
    getFile: Method<'getMediaFile'>
  }
  auth: {
    /** Register a user. `POST /v1/auth/register` */
    register: Method<'register'>
    /** Log in. `POST /v1/auth/login` */
    login: Method<'login'>
    /** Refresh the access token. `POST /v1/auth/refresh` */
    refresh: Method<'refresh'>
    /** Log out. `POST /v1/auth/logout` */
    logout: Method<'logout'>
    /** Get your account. `GET /v1/auth/me` */
    getMe: Method<'getMe'>
    /** Update your name or e-mail address. `PATCH /v1/auth/me` */
    updateMe: Method<'updateMe'>
    /** Delete your account. `DELETE /v1/auth/me` */
    removeMe: Method<'removeMe'>
    /** Change your password. `POST /v1/auth/password` */
    changePassword: Method<'changePassword'>
    /** Request a password reset mail. `POST /v1/auth/password/forgot` */
    forgotPassword: Method<'forgotPassword'>
    /** Set a new password with a reset token. `POST /v1/auth/password/reset` */
    resetPassword: Method<'resetPassword'>
    /** Verify an e-mail address. `POST /v1/auth/verify-email` */
    verifyEmail: Method<'verifyEmail'>
    /** Resend the verification mail. `POST /v1/auth/verify-email/resend` */
    resendVerification: Method<'resendVerification'>
    /** Sign in with Google. `POST /v1/auth/google` */
    signInWithGoogle: Method<'signInWithGoogle'>
    /** Link your account to a Google account. `POST /v1/auth/google/link` */
    linkGoogle: Method<'linkGoogle'>
    /** Unlink your account from Google. `DELETE /v1/auth/google/link` */
    unlinkGoogle: Method<'unlinkGoogle'>
  }
  licenses: {
    /** Validate a license key. `POST /vault/v1/licenses/validate` */
    validate: Method<'validateLicense'>
  }
  devices: {
    /** Register a device. `POST /vault/v1/devices` */
    register: Method<'registerDevice'>
    /** List your devices. `GET /vault/v1/devices` */
    list: Method<'listDevices'>
    /** Rotate the keys of a device. `POST /vault/v1/devices/{deviceId}/rotate` */
    rotateKeys: Method<'rotateDeviceKeys'>
    /** Move a device to another server. `POST /vault/v1/devices/{deviceId}/move` */
    move: Method<'moveDevice'>
    /** Show one of your devices. `GET /vault/v1/devices/{deviceId}` */
    get: Method<'getDevice'>
    /** Rename a device. `PATCH /vault/v1/devices/{deviceId}` */
    rename: Method<'renameDevice'>
    /** Revoke a device. `DELETE /vault/v1/devices/{deviceId}` */
    revoke: Method<'revokeDevice'>
    /** Download the WireGuard configuration of a device. `GET /vault/v1/devices/{deviceId}/config` */
    getConfig: Method<'getDeviceConfig'>
  }
  vpn: {
    /** Start a VPN session. `POST /vault/v1/vpn/connect` */
    connect: Method<'connect'>
    /** End a VPN session. `POST /vault/v1/vpn/disconnect` */
    disconnect: Method<'disconnect'>
    /** List your VPN sessions. `GET /vault/v1/vpn/sessions` */
    listSessions: Method<'listSessions'>
    /** Show one of your VPN sessions. `GET /vault/v1/vpn/sessions/{sessionId}` */
    getSession: Method<'getSession'>
    /** Show your VPN usage by day. `GET /vault/v1/vpn/usage` */
    getUsage: Method<'getUsage'>
    /** List the servers and regions that take devices. `GET /vault/v1/vpn/servers` */
    listOpenServers: Method<'listOpenServers'>
  }
  usage: {
    /** List the limits that the tenant has set for its organizations and users. `GET /assistant/v1/usage/limits` */
    listLimits: Method<'listUsageLimits'>
    /** Limit the usage of an organization, a user, or each user. `PUT /assistant/v1/usage/limits` */
    setLimit: Method<'setUsageLimit'>
    /** Delete a limit of an organization, a user, or each user. `DELETE /assistant/v1/usage/limits` */
    deleteLimit: Method<'deleteUsageLimit'>
    /** Get the percentages of limits at which the tenant is notified. `GET /assistant/v1/usage/thresholds` */
    getThresholds: Method<'getUsageThresholds'>
    /** Set the percentages of limits at which the tenant is notified. `PUT /assistant/v1/usage/thresholds` */
    setThresholds: Method<'setUsageThresholds'>
    /** Get what you, an organization or the tenant has used. `GET /assistant/v1/usage` */
    getMeter: Method<'getMeterUsage'>
    /** List your limits, or those of an organization or the tenant, and what is used of them. `GET /assistant/v1/usage/quotas` */
    listQuotas: Method<'listQuotas'>
  }
  organizations: {
    /** List your organizations. `GET /assistant/v1/orgs` */
    list: Method<'listOrgs'>
    /** Create an organization. `POST /assistant/v1/orgs` */
    create: Method<'createOrg'>
    /** Get an organization. `GET /assistant/v1/orgs/{orgId}` */
    get: Method<'getOrg'>
    /** Update an organization. `PATCH /assistant/v1/orgs/{orgId}` */
    update: Method<'updateOrg'>
    /** Delete an organization. `DELETE /assistant/v1/orgs/{orgId}` */
    delete: Method<'deleteOrg'>
    /** Export an organization. `GET /assistant/v1/orgs/{orgId}/export` */
    export: Method<'exportOrg'>
    /** Hand an organization to another member. `POST /assistant/v1/orgs/{orgId}/transfer` */
    transfer: Method<'transferOrg'>
    /** List the members of an organization. `GET /assistant/v1/orgs/{orgId}/members` */
    listMembers: Method<'listOrgMembers'>
    /** Make a user a member of an organization (administrators of the tenant). `POST /assistant/v1/orgs/{orgId}/members` */
    addMember: Method<'addOrgMember'>
    /** Choose which mails you get from an organization. `PATCH /assistant/v1/orgs/{orgId}/members/me` */
    updateOwnMembership: Method<'updateOwnOrgMembership'>
    /** Leave an organization. `DELETE /assistant/v1/orgs/{orgId}/members/me` */
    leave: Method<'leaveOrg'>
    /** Change the role of a member. `PATCH /assistant/v1/orgs/{orgId}/members/{userId}` */
    updateMember: Method<'updateOrgMember'>
    /** Remove a member from an organization. `DELETE /assistant/v1/orgs/{orgId}/members/{userId}` */
    removeMember: Method<'removeOrgMember'>
    /** List the invitations of an organization. `GET /assistant/v1/orgs/{orgId}/invitations` */
    listInvitations: Method<'listOrgInvitations'>
    /** Invite somebody to an organization by mail. `POST /assistant/v1/orgs/{orgId}/invitations` */
    createInvitation: Method<'createOrgInvitation'>
    /** List the invitations that you have received. `GET /assistant/v1/invitations` */
    listReceivedInvitations: Method<'listReceivedInvitations'>
    /** Send an invitation again. `POST /assistant/v1/orgs/{orgId}/invitations/{invitationId}/resend` */
    resendInvitation: Method<'resendOrgInvitation'>
    /** Revoke an invitation. `DELETE /assistant/v1/orgs/{orgId}/invitations/{invitationId}` */
    revokeInvitation: Method<'revokeOrgInvitation'>
    /** Accept an invitation. `POST /assistant/v1/invitations/accept` */
    acceptInvitation: Method<'acceptInvitation'>
    /** Decline an invitation. `POST /assistant/v1/invitations/decline` */
    declineInvitation: Method<'declineInvitation'>
  }
  email: {
    /** List received mails, newest first. `GET /assistant/v1/email/messages` */
    list: Method<'listReceivedMails'>
    /** Get the mail settings. `GET /assistant/v1/email/config` */
    getConfig: Method<'getEmailConfig'>
    /** Change the mail settings. `PUT /assistant/v1/email/config` */
    setConfig: Method<'setEmailConfig'>
    /** Create a key that signs your mails. `POST /assistant/v1/email/config/dkim` */
    createDkimKey: Method<'createEmailDkimKey'>
    /** Verify the mail settings. `POST /assistant/v1/email/config/verify` */
    verifyConfig: Method<'verifyEmailConfig'>
    /** Get a verification with its steps. `GET /assistant/v1/email/config/verifications/{verificationId}` */
    getVerification: Method<'getEmailVerification'>
    /** List mail threads, by their newest mail. `GET /assistant/v1/email/threads` */
    listThreads: Method<'listEmailThreads'>
    /** Get a mail thread with its mails. `GET /assistant/v1/email/threads/{threadId}` */
    getThread: Method<'getEmailThread'>
    /** Get a mail with its text. `GET /assistant/v1/email/messages/{messageId}` */
    getMessage: Method<'getEmailMessage'>
    /** Change the text of a draft. `PATCH /assistant/v1/email/messages/{messageId}` */
    updateDraft: Method<'updateEmailDraft'>
    /** Get the bytes of a received mail. `GET /assistant/v1/email/messages/{messageId}/raw` */
    getRawMessage: Method<'getRawEmailMessage'>
    /** Send a mail. `POST /assistant/v1/email/send` */
    send: Method<'sendEmail'>
    /** List addresses that get no mail. `GET /assistant/v1/email/suppressions` */
    listSuppressions: Method<'listEmailSuppressions'>
    /** Send no more mail to an address. `POST /assistant/v1/email/suppressions` */
    createSuppression: Method<'createEmailSuppression'>
    /** Get an address that gets no mail. `GET /assistant/v1/email/suppressions/{suppressionId}` */
    getSuppression: Method<'getEmailSuppression'>
    /** Send mail to an address again. `DELETE /assistant/v1/email/suppressions/{suppressionId}` */
    deleteSuppression: Method<'deleteEmailSuppression'>
    /** Discard a draft. `POST /assistant/v1/email/messages/{messageId}/discard` */
    discardDraft: Method<'discardEmailDraft'>
    /** Show why a received mail was answered or not. `GET /assistant/v1/email/messages/{messageId}/trace` */
    getTrace: Method<'getEmailTrace'>
    /** Send a draft. `POST /assistant/v1/email/messages/{messageId}/approve` */
    approveDraft: Method<'approveEmailDraft'>
    /** Send a failed mail again, or look for the answer to a dead one. `POST /assistant/v1/email/messages/{messageId}/retry` */
    retryMessage: Method<'retryEmailMessage'>
    /** Show what would happen to a mail. `POST /assistant/v1/email/simulate` */
    simulate: Method<'simulateEmail'>
    /** Get when you receive a digest. `GET /assistant/v1/email/digest` */
    getDigest: Method<'getEmailDigest'>
    /** Set when you receive a digest. `PUT /assistant/v1/email/digest` */
    setDigest: Method<'setEmailDigest'>
  }
  meetings: {
    /** Create a meeting. `POST /assistant/v1/meetings` */
    create: Method<'createMeeting'>
    /** List your meetings. `GET /assistant/v1/meetings` */
    list: Method<'listMeetings'>
    /** Get a meeting with its transcript. `GET /assistant/v1/meetings/{meetingId}` */
    get: Method<'getMeeting'>
    /** Update a meeting. `PATCH /assistant/v1/meetings/{meetingId}` */
    update: Method<'updateMeeting'>
    /** Delete a meeting. `DELETE /assistant/v1/meetings/{meetingId}` */
    delete: Method<'deleteMeeting'>
    /** Update the settings of a meeting. `PUT /assistant/v1/meetings/{meetingId}/settings` */
    setSettings: Method<'setMeetingSettings'>
    /** Start a meeting. `POST /assistant/v1/meetings/{meetingId}/start` */
    start: Method<'startMeeting'>
    /** End a meeting. `POST /assistant/v1/meetings/{meetingId}/end` */
    end: Method<'endMeeting'>
    /** Cancel a meeting. `POST /assistant/v1/meetings/{meetingId}/cancel` */
    cancel: Method<'cancelMeeting'>
    /** Add entries to a transcript. `POST /assistant/v1/meetings/{meetingId}/transcript` */
    appendTranscript: Method<'appendTranscript'>
    /** Read or download a transcript. `GET /assistant/v1/meetings/{meetingId}/transcript` */
    getTranscript: Method<'getTranscript'>
    /** Import a transcript from a file. `POST /assistant/v1/meetings/{meetingId}/transcript/import` */
    importTranscript: Method<'importTranscript'>
    /** Summarize a meeting. `GET /assistant/v1/meetings/{meetingId}/summary` */
    getSummary: Method<'getMeetingSummary'>
    /** List personalities. `GET /assistant/v1/personalities` */
    listPersonalities: Method<'listPersonalities'>
  }
  inbound: {
    /** List drafted answers, newest first. `GET /assistant/v1/answers` */
    listDraftedAnswers: Method<'listDraftedAnswers'>
    /** Get a drafted answer with its text and quotes. `GET /assistant/v1/answers/{answerId}` */
    getDraftedAnswer: Method<'getDraftedAnswer'>
    /** Create a connection. `POST /assistant/v1/webhooks/connections` */
    createWebhookConnection: Method<'createWebhookConnection'>
    /** List connections, newest first. `GET /assistant/v1/webhooks/connections` */
    listWebhookConnections: Method<'listWebhookConnections'>
    /** Get a connection. `GET /assistant/v1/webhooks/connections/{connectionId}` */
    getWebhookConnection: Method<'getWebhookConnection'>
    /** Update a connection. `PATCH /assistant/v1/webhooks/connections/{connectionId}` */
    updateWebhookConnection: Method<'updateWebhookConnection'>
    /** Delete a connection. `DELETE /assistant/v1/webhooks/connections/{connectionId}` */
    deleteWebhookConnection: Method<'deleteWebhookConnection'>
    /** Pause a connection. `POST /assistant/v1/webhooks/connections/{connectionId}/pause` */
    pauseWebhookConnection: Method<'pauseWebhookConnection'>
    /** Resume a connection. `POST /assistant/v1/webhooks/connections/{connectionId}/resume` */
    resumeWebhookConnection: Method<'resumeWebhookConnection'>
    /** Replace the secret of a connection. `POST /assistant/v1/webhooks/connections/{connectionId}/rotate-secret` */
    rotateWebhookConnectionSecret: Method<'rotateWebhookConnectionSecret'>
    /** Send a test delivery to a connection. `POST /assistant/v1/webhooks/connections/{connectionId}/test` */
    testWebhookConnection: Method<'testWebhookConnection'>
    /** List deliveries, newest first. `GET /assistant/v1/webhooks/deliveries` */
    listInboundDeliveries: Method<'listInboundDeliveries'>
    /** Get a delivery with its timeline and effects. `GET /assistant/v1/webhooks/deliveries/{deliveryId}` */
    getInboundDelivery: Method<'getInboundDelivery'>
    /** Replay a delivery. `POST /assistant/v1/webhooks/deliveries/{deliveryId}/replay` */
    replayInboundDelivery: Method<'replayInboundDelivery'>
    /** Replay many deliveries. `POST /assistant/v1/webhooks/deliveries/replay` */
    replayInboundDeliveries: Method<'replayInboundDeliveries'>
  }
  bots: {
    /** Make all bots leave their meetings. `POST /assistant/v1/bot/stop-all` */
    stopAll: Method<'stopAllBots'>
    /** Show whether bots can be sent. `GET /assistant/v1/bot/pause` */
    getPause: Method<'getBotPause'>
    /** Stop or allow sending bots. `PUT /assistant/v1/bot/pause` */
    setPause: Method<'setBotPause'>
    /** Show to which meetings of a calendar bots are sent. `GET /assistant/v1/bot/policies` */
    getPolicy: Method<'getBotPolicy'>
    /** Set to which meetings of a calendar bots are sent. `PUT /assistant/v1/bot/policies` */
    setPolicy: Method<'setBotPolicy'>
    /** List the vendors of bots that are set up. `GET /assistant/v1/bot/vendors` */
    listVendors: Method<'listBotVendors'>
    /** Set up a vendor of bots. `PUT /assistant/v1/bot/vendors/{vendor}` */
    setVendor: Method<'setBotVendor'>
    /** Delete the settings of a vendor of bots. `DELETE /assistant/v1/bot/vendors/{vendor}` */
    deleteVendor: Method<'deleteBotVendor'>
    /** List the programs that run bots. `GET /assistant/v1/bot/runners` */
    listRunners: Method<'listBotRunners'>
    /** Add a program that runs bots. `POST /assistant/v1/bot/runners` */
    createRunner: Method<'createBotRunner'>
    /** Show a program that runs bots. `GET /assistant/v1/bot/runners/{runnerId}` */
    getRunner: Method<'getBotRunner'>
    /** Remove a program that runs bots. `DELETE /assistant/v1/bot/runners/{runnerId}` */
    deleteRunner: Method<'deleteBotRunner'>
    /** Create another enrollment token for a runner. `POST /assistant/v1/bot/runners/{runnerId}/enrollment-token` */
    createRunnerEnrollmentToken: Method<'createBotRunnerEnrollmentToken'>
    /** Send a bot to a meeting. `POST /assistant/v1/bot` */
    deploy: Method<'deployBot'>
    /** List bots. `GET /assistant/v1/bot` */
    list: Method<'listBots'>
    /** Get a bot with its history. `GET /assistant/v1/bot/{botId}` */
    get: Method<'getBot'>
    /** Change a bot that is scheduled. `PATCH /assistant/v1/bot/{botId}` */
    update: Method<'updateBot'>
    /** Make a bot leave, and erase its link. `DELETE /assistant/v1/bot/{botId}` */
    delete: Method<'deleteBot'>
    /** Make a bot leave. `POST /assistant/v1/bot/{botId}/leave` */
    leave: Method<'leaveBot'>
    /** Post a message in the chat of the meeting. `POST /assistant/v1/bot/{botId}/message` */
    sendMessage: Method<'sendBotMessage'>
    /** Confirm or refuse that the meeting is recorded as text. `POST /assistant/v1/bot/{botId}/consent` */
    answerConsent: Method<'answerBotConsent'>
    /** Show what a bot saw when it failed. `GET /assistant/v1/bot/{botId}/artifacts/{name}` */
    getArtifact: Method<'getBotArtifact'>
    /** Append what was said, for a bot of the provider `push`. `POST /assistant/v1/bot-ingest/entries` */
    ingestEntries: Method<'ingestBotEntries'>
  }
  tasks: {
    /** List the tasks of an organization. `GET /assistant/v1/orgs/{orgId}/tasks` */
    list: Method<'listOrgTasks'>
    /** Create a task. `POST /assistant/v1/orgs/{orgId}/tasks` */
    create: Method<'createOrgTask'>
    /** List your tasks in all organizations. `GET /assistant/v1/tasks` */
    listOwn: Method<'listOwnTasks'>
    /** Get a task. `GET /assistant/v1/orgs/{orgId}/tasks/{taskId}` */
    get: Method<'getOrgTask'>
    /** Update a task. `PATCH /assistant/v1/orgs/{orgId}/tasks/{taskId}` */
    update: Method<'updateOrgTask'>
    /** Delete a task. `DELETE /assistant/v1/orgs/{orgId}/tasks/{taskId}` */
    delete: Method<'deleteOrgTask'>
    /** Move a task on the board. `POST /assistant/v1/orgs/{orgId}/tasks/{taskId}/move` */
    move: Method<'moveOrgTask'>
    /** Change many tasks at once. `POST /assistant/v1/orgs/{orgId}/tasks/bulk` */
    change: Method<'changeOrgTasks'>
    /** List the changes of a task. `GET /assistant/v1/orgs/{orgId}/tasks/{taskId}/history` */
    listHistory: Method<'listOrgTaskHistory'>
    /** Dismiss a conflict of a task with its issue. `DELETE /assistant/v1/orgs/{orgId}/tasks/{taskId}/conflicts/{field}` */
    dismissConflict: Method<'dismissOrgTaskConflict'>
    /** List the comments on a task. `GET /assistant/v1/orgs/{orgId}/tasks/{taskId}/comments` */
    listComments: Method<'listOrgTaskComments'>
    /** Comment on a task. `POST /assistant/v1/orgs/{orgId}/tasks/{taskId}/comments` */
    createComment: Method<'createOrgTaskComment'>
    /** Change a comment. `PATCH /assistant/v1/orgs/{orgId}/tasks/{taskId}/comments/{commentId}` */
    updateComment: Method<'updateOrgTaskComment'>
    /** Delete a comment. `DELETE /assistant/v1/orgs/{orgId}/tasks/{taskId}/comments/{commentId}` */
    deleteComment: Method<'deleteOrgTaskComment'>
    /** Propose tasks from a meeting. `POST /assistant/v1/meetings/{meetingId}/tasks` */
    propose: Method<'proposeMeetingTasks'>
    /** Get the address of a calendar with your tasks. `POST /assistant/v1/orgs/{orgId}/tasks/calendar` */
    createCalendar: Method<'createTaskCalendar'>
    /** End the address of your calendar. `DELETE /assistant/v1/orgs/{orgId}/tasks/calendar` */
    deleteCalendar: Method<'deleteTaskCalendar'>
  }
  collections: {
    /** List the collections of an organization. `GET /assistant/v1/orgs/{orgId}/collections` */
    list: Method<'listCollections'>
    /** Create a collection. `POST /assistant/v1/orgs/{orgId}/collections` */
    create: Method<'createCollection'>
    /** Get a collection. `GET /assistant/v1/orgs/{orgId}/collections/{collectionId}` */
    get: Method<'getCollection'>
    /** Rename, open or restrict a collection. `PATCH /assistant/v1/orgs/{orgId}/collections/{collectionId}` */
    update: Method<'updateCollection'>
    /** Delete a collection. `DELETE /assistant/v1/orgs/{orgId}/collections/{collectionId}` */
    delete: Method<'deleteCollection'>
    /** Give a member access to a collection. `PUT /assistant/v1/orgs/{orgId}/collections/{collectionId}/members/{userId}` */
    setMember: Method<'setCollectionMember'>
    /** Remove a member from a collection. `DELETE /assistant/v1/orgs/{orgId}/collections/{collectionId}/members/{userId}` */
    removeMember: Method<'removeCollectionMember'>
    /** List the changes of a collection. `GET /assistant/v1/orgs/{orgId}/collections/{collectionId}/history` */
    listHistory: Method<'listCollectionHistory'>
  }
  documents: {
    /** List the documents of an organization. `GET /assistant/v1/orgs/{orgId}/documents` */
    list: Method<'listDocuments'>
    /** Add a document. `POST /assistant/v1/orgs/{orgId}/documents` */
    add: Method<'addDocument'>
    /** Get a document. `GET /assistant/v1/orgs/{orgId}/documents/{documentId}` */
    get: Method<'getDocument'>
    /** Change the title or the tags of a document, or move it. `PATCH /assistant/v1/orgs/{orgId}/documents/{documentId}` */
    update: Method<'updateDocument'>
    /** Erase a document. `DELETE /assistant/v1/orgs/{orgId}/documents/{documentId}` */
    delete: Method<'deleteDocument'>
    /** Read a failed document again. `POST /assistant/v1/orgs/{orgId}/documents/{documentId}/retry` */
    retry: Method<'retryDocument'>
    /** List the versions of a document. `GET /assistant/v1/orgs/{orgId}/documents/{documentId}/versions` */
    listVersions: Method<'listDocumentVersions'>
    /** Add a version of a document. `POST /assistant/v1/orgs/{orgId}/documents/{documentId}/versions` */
    addVersion: Method<'addDocumentVersion'>
    /** Make an earlier version the newest one. `POST /assistant/v1/orgs/{orgId}/documents/{documentId}/versions/{version}/restore` */
    restoreVersion: Method<'restoreDocumentVersion'>
    /** Get the file or the text of a document. `GET /assistant/v1/orgs/{orgId}/documents/{documentId}/content` */
    getContent: Method<'getDocumentContent'>
  }
  search: {
    /** Search documents and transcripts. `GET /assistant/v1/orgs/{orgId}/search` */
    search: Method<'searchOrg'>
    /** Ask a question. `POST /assistant/v1/orgs/{orgId}/ask` */
    ask: Method<'askOrg'>
    /** List your questions. `GET /assistant/v1/orgs/{orgId}/asks` */
    listAsks: Method<'listOrgAsks'>
    /** Get a question with its answer. `GET /assistant/v1/orgs/{orgId}/asks/{askId}` */
    getAsk: Method<'getOrgAsk'>
    /** Delete a question and its answer. `DELETE /assistant/v1/orgs/{orgId}/asks/{askId}` */
    deleteAsk: Method<'deleteOrgAsk'>
    /** Say whether an answer helped. `POST /assistant/v1/orgs/{orgId}/asks/{askId}/feedback` */
    giveAskFeedback: Method<'giveOrgAskFeedback'>
  }
  integrations: {
    /** List the providers. `GET /assistant/v1/integrations/providers` */
    listProviders: Method<'listIntegrationProviders'>
    /** List the tenant’s own OAuth apps. `GET /assistant/v1/integrations/apps` */
    listApps: Method<'listIntegrationApps'>
    /** Set the tenant’s own OAuth app at a provider. `PUT /assistant/v1/integrations/apps/{provider}` */
    setApp: Method<'setIntegrationApp'>
    /** Delete the tenant’s own OAuth app at a provider. `DELETE /assistant/v1/integrations/apps/{provider}` */
    deleteApp: Method<'deleteIntegrationApp'>
    /** Begin a connection. `POST /assistant/v1/integrations/{provider}/connect` */
    connect: Method<'connectIntegration'>
    /** Confirm a connection. `POST /assistant/v1/integrations/{integrationId}/confirm` */
    confirm: Method<'confirmIntegration'>
    /** List the origins for `returnTo`. `GET /assistant/v1/integrations/returns` */
    getReturns: Method<'getIntegrationReturns'>
    /** Set the origins for `returnTo`. `PUT /assistant/v1/integrations/returns` */
    setReturns: Method<'setIntegrationReturns'>
    /** Go to the provider. `POST /assistant/v1/integrations/start/{ticket}` */
    start: Method<'startIntegration'>
    /** Write to a provider. `POST /assistant/v1/integrations/{integrationId}/actions` */
    createAction: Method<'createIntegrationAction'>
    /** List actions, newest first. `GET /assistant/v1/integrations/actions` */
    listActions: Method<'listIntegrationActions'>
    /** Get an action. `GET /assistant/v1/integrations/actions/{actionId}` */
    getAction: Method<'getIntegrationAction'>
    /** Try a failed action again. `POST /assistant/v1/integrations/actions/{actionId}/retry` */
    retryAction: Method<'retryIntegrationAction'>
    /** Cancel a waiting action. `POST /assistant/v1/integrations/actions/{actionId}/cancel` */
    cancelAction: Method<'cancelIntegrationAction'>
    /** List integrations, newest first. `GET /assistant/v1/integrations` */
    list: Method<'listIntegrations'>
    /** Get an integration. `GET /assistant/v1/integrations/{integrationId}` */
    get: Method<'getIntegration'>
    /** Turn features on and off, and configure them. `PATCH /assistant/v1/integrations/{integrationId}` */
    update: Method<'updateIntegration'>
    /** Disconnect an integration. `DELETE /assistant/v1/integrations/{integrationId}` */
    delete: Method<'deleteIntegration'>
    /** Choose the site of an account. `POST /assistant/v1/integrations/{integrationId}/account` */
    chooseAccount: Method<'chooseIntegrationAccount'>
    /** Ask the provider whose account it is. `POST /assistant/v1/integrations/{integrationId}/test` */
    test: Method<'testIntegration'>
    /** Renew the access token now. `POST /assistant/v1/integrations/{integrationId}/refresh` */
    refresh: Method<'refreshIntegration'>
    /** Get the access token. `POST /assistant/v1/integrations/{integrationId}/token` */
    getToken: Method<'getIntegrationToken'>
    /** Import changes from the provider now. `POST /assistant/v1/integrations/{integrationId}/sync` */
    sync: Method<'syncIntegration'>
    /** List the files that are imported as documents. `GET /assistant/v1/integrations/{integrationId}/files` */
    listImportedFiles: Method<'listImportedFiles'>
  }
  webhooks: {
    /** List the event types. `GET /v1/webhooks/event-types` */
    listEventTypes: Method<'listWebhookEventTypes'>
    /** List the endpoints of the tenant, newest first. `GET /v1/webhooks/endpoints` */
    listEndpoints: Method<'listWebhookEndpoints'>
    /** Create an endpoint. `POST /v1/webhooks/endpoints` */
    createEndpoint: Method<'createWebhookEndpoint'>
    /** Get an endpoint. `GET /v1/webhooks/endpoints/{endpointId}` */
    getEndpoint: Method<'getWebhookEndpoint'>
    /** Change an endpoint. `PATCH /v1/webhooks/endpoints/{endpointId}` */
    updateEndpoint: Method<'updateWebhookEndpoint'>
    /** Delete an endpoint and its deliveries. `DELETE /v1/webhooks/endpoints/{endpointId}` */
    deleteEndpoint: Method<'deleteWebhookEndpoint'>
    /** Replace the signing secret. `POST /v1/webhooks/endpoints/{endpointId}/rotate-secret` */
    rotateEndpointSecret: Method<'rotateWebhookEndpointSecret'>
    /** Enable a disabled endpoint. `POST /v1/webhooks/endpoints/{endpointId}/enable` */
    enableEndpoint: Method<'enableWebhookEndpoint'>
    /** List the deliveries of an endpoint in the last 30 days, newest first. `GET /v1/webhooks/endpoints/{endpointId}/deliveries` */
    listDeliveries: Method<'listWebhookDeliveries'>
    /** Send a test event to an endpoint. `POST /v1/webhooks/endpoints/{endpointId}/test` */
    testEndpoint: Method<'testWebhookEndpoint'>
    /** Resend a delivery. `POST /v1/webhooks/endpoints/{endpointId}/deliveries/{messageId}/resend` */
    resendDelivery: Method<'resendWebhookDelivery'>
    /** Resend the failed deliveries since a time. `POST /v1/webhooks/endpoints/{endpointId}/recover` */
    recoverEndpoint: Method<'recoverWebhookEndpoint'>
  }
}

export type AppOperationId =
  | 'health'
  | 'healthLive'
  | 'listProducts'
  | 'getProduct'
  | 'listDocs'
  | 'getDoc'
  | 'exportDocs'
  | 'listVersions'
  | 'download'
  | 'listPublicPages'
  | 'getPublicPage'
  | 'getHomepage'
  | 'listPublicBlocks'
  | 'getPublicBlock'
  | 'getMediaFile'
  | 'register'
  | 'login'
  | 'refresh'
  | 'logout'
  | 'getMe'
  | 'updateMe'
  | 'removeMe'
  | 'changePassword'
  | 'forgotPassword'
  | 'resetPassword'
  | 'verifyEmail'
  | 'resendVerification'
  | 'signInWithGoogle'
  | 'linkGoogle'
  | 'unlinkGoogle'
  | 'validateLicense'
  | 'registerDevice'
  | 'listDevices'
  | 'rotateDeviceKeys'
  | 'moveDevice'
  | 'getDevice'
  | 'renameDevice'
  | 'revokeDevice'
  | 'getDeviceConfig'
  | 'connect'
  | 'disconnect'
  | 'listSessions'
  | 'getSession'
  | 'getUsage'
  | 'listOpenServers'
  | 'listUsageLimits'
  | 'setUsageLimit'
  | 'deleteUsageLimit'
  | 'getUsageThresholds'
  | 'setUsageThresholds'
  | 'getMeterUsage'
  | 'listQuotas'
  | 'listOrgs'
  | 'createOrg'
  | 'getOrg'
  | 'updateOrg'
  | 'deleteOrg'
  | 'exportOrg'
  | 'transferOrg'
  | 'listOrgMembers'
  | 'addOrgMember'
  | 'updateOwnOrgMembership'
  | 'leaveOrg'
  | 'updateOrgMember'
  | 'removeOrgMember'
  | 'listOrgInvitations'
  | 'createOrgInvitation'
  | 'listReceivedInvitations'
  | 'resendOrgInvitation'
  | 'revokeOrgInvitation'
  | 'acceptInvitation'
  | 'declineInvitation'
  | 'listReceivedMails'
  | 'getEmailConfig'
  | 'setEmailConfig'
  | 'createEmailDkimKey'
  | 'verifyEmailConfig'
  | 'getEmailVerification'
  | 'listEmailThreads'
  | 'getEmailThread'
  | 'getEmailMessage'
  | 'updateEmailDraft'
  | 'getRawEmailMessage'
  | 'sendEmail'
  | 'listEmailSuppressions'
  | 'createEmailSuppression'
  | 'getEmailSuppression'
  | 'deleteEmailSuppression'
  | 'discardEmailDraft'
  | 'getEmailTrace'
  | 'approveEmailDraft'
  | 'retryEmailMessage'
  | 'simulateEmail'
  | 'getEmailDigest'
  | 'setEmailDigest'
  | 'createMeeting'
  | 'listMeetings'
  | 'getMeeting'
  | 'updateMeeting'
  | 'deleteMeeting'
  | 'setMeetingSettings'
  | 'startMeeting'
  | 'endMeeting'
  | 'cancelMeeting'
  | 'appendTranscript'
  | 'getTranscript'
  | 'importTranscript'
  | 'getMeetingSummary'
  | 'listPersonalities'
  | 'listDraftedAnswers'
  | 'getDraftedAnswer'
  | 'stopAllBots'
  | 'getBotPause'
  | 'setBotPause'
  | 'getBotPolicy'
  | 'setBotPolicy'
  | 'listBotVendors'
  | 'setBotVendor'
  | 'deleteBotVendor'
  | 'listBotRunners'
  | 'createBotRunner'
  | 'getBotRunner'
  | 'deleteBotRunner'
  | 'createBotRunnerEnrollmentToken'
  | 'deployBot'
  | 'listBots'
  | 'getBot'
  | 'updateBot'
  | 'deleteBot'
  | 'leaveBot'
  | 'sendBotMessage'
  | 'answerBotConsent'
  | 'getBotArtifact'
  | 'ingestBotEntries'
  | 'listOrgTasks'
  | 'createOrgTask'
  | 'listOwnTasks'
  | 'getOrgTask'
  | 'updateOrgTask'
  | 'deleteOrgTask'
  | 'moveOrgTask'
  | 'changeOrgTasks'
  | 'listOrgTaskHistory'
  | 'dismissOrgTaskConflict'
  | 'listOrgTaskComments'
  | 'createOrgTaskComment'
  | 'updateOrgTaskComment'
  | 'deleteOrgTaskComment'
  | 'proposeMeetingTasks'
  | 'createTaskCalendar'
  | 'deleteTaskCalendar'
  | 'listCollections'
  | 'createCollection'
  | 'getCollection'
  | 'updateCollection'
  | 'deleteCollection'
  | 'setCollectionMember'
  | 'removeCollectionMember'
  | 'listCollectionHistory'
  | 'listDocuments'
  | 'addDocument'
  | 'getDocument'
  | 'updateDocument'
  | 'deleteDocument'
  | 'retryDocument'
  | 'listDocumentVersions'
  | 'addDocumentVersion'
  | 'restoreDocumentVersion'
  | 'getDocumentContent'
  | 'searchOrg'
  | 'askOrg'
  | 'listOrgAsks'
  | 'getOrgAsk'
  | 'deleteOrgAsk'
  | 'giveOrgAskFeedback'
  | 'createWebhookConnection'
  | 'listWebhookConnections'
  | 'getWebhookConnection'
  | 'updateWebhookConnection'
  | 'deleteWebhookConnection'
  | 'pauseWebhookConnection'
  | 'resumeWebhookConnection'
  | 'rotateWebhookConnectionSecret'
  | 'testWebhookConnection'
  | 'listInboundDeliveries'
  | 'getInboundDelivery'
  | 'replayInboundDelivery'
  | 'replayInboundDeliveries'
  | 'listIntegrationProviders'
  | 'listIntegrationApps'
  | 'setIntegrationApp'
  | 'deleteIntegrationApp'
  | 'connectIntegration'
  | 'confirmIntegration'
  | 'getIntegrationReturns'
  | 'setIntegrationReturns'
  | 'startIntegration'
  | 'createIntegrationAction'
  | 'listIntegrationActions'
  | 'getIntegrationAction'
  | 'retryIntegrationAction'
  | 'cancelIntegrationAction'
  | 'listIntegrations'
  | 'getIntegration'
  | 'updateIntegration'
  | 'deleteIntegration'
  | 'chooseIntegrationAccount'
  | 'testIntegration'
  | 'refreshIntegration'
  | 'getIntegrationToken'
  | 'syncIntegration'
  | 'listImportedFiles'
  | 'listWebhookEventTypes'
  | 'listWebhookEndpoints'
  | 'createWebhookEndpoint'
  | 'getWebhookEndpoint'
  | 'updateWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rotateWebhookEndpointSecret'
  | 'enableWebhookEndpoint'
  | 'listWebhookDeliveries'
  | 'testWebhookEndpoint'
  | 'resendWebhookDelivery'
  | 'recoverWebhookEndpoint'

export interface AdminGroups {
  system: {
    /** Get an overview of the platform. `GET /v1/platform/admin/overview` */
    getPlatformOverview: Method<'getPlatformOverview'>
    /** Find anything. `POST /v1/platform/admin/search` */
    searchPlatform: Method<'searchPlatform'>
    /** Get the settings of this node. `GET /v1/platform/admin/settings` */
    getSettings: Method<'getSettings'>
    /** Copy the embedded database for a backup. `POST /v1/platform/admin/snapshots` */
    createSnapshot: Method<'createSnapshot'>
    /** Explain why a caller is accepted or refused. `POST /admin/access-check` */
    checkAccess: Method<'checkAccess'>
  }
  jobs: {
    /** List the unfinished jobs, newest first. `GET /v1/platform/admin/jobs` */
    list: Method<'listJobs'>
    /** Retry a dead job. `POST /v1/platform/admin/jobs/{jobId}/retry` */
    retry: Method<'retryJob'>
    /** Retry the dead jobs of a kind. `POST /v1/platform/admin/jobs/retry` */
    retryAll: Method<'retryJobs'>
  }
  content: {
    /** Export the catalog and the content as one document. `GET /admin/cms/bundle` */
    exportBundle: Method<'exportBundle'>
    /** Import a document of the catalog and the content. `POST /admin/cms/bundle` */
    importBundle: Method<'importBundle'>
    /** Create a page. `POST /admin/cms/pages` */
    createPage: Method<'createPage'>
    /** List all pages. `GET /admin/cms/pages` */
    listPages: Method<'listPages'>
    /** Show a page and its draft. `GET /admin/cms/pages/{pageId}` */
    getPage: Method<'getPage'>
    /** Change a page or its draft. `PUT /admin/cms/pages/{pageId}` */
    savePage: Method<'savePage'>
    /** Change a page or its draft, as PUT does. `PATCH /admin/cms/pages/{pageId}` */
    patchPage: Method<'patchPage'>
    /** Delete a page with its draft and revisions. `DELETE /admin/cms/pages/{pageId}` */
    deletePage: Method<'deletePage'>
    /** Publish a page or its draft. `POST /admin/cms/pages/{pageId}/publish` */
    publishPage: Method<'publishPage'>
    /** Unpublish a page: it becomes a DRAFT. `POST /admin/cms/pages/{pageId}/unpublish` */
    unpublishPage: Method<'unpublishPage'>
    /** Archive a page and cancel its schedule. `POST /admin/cms/pages/{pageId}/archive` */
    archivePage: Method<'archivePage'>
    /** Discard the draft of a page. `DELETE /admin/cms/pages/{pageId}/draft` */
    discardPageDraft: Method<'discardPageDraft'>
    /** Create a preview link for the draft of a page. `POST /admin/cms/pages/{pageId}/preview-link` */
    createPagePreviewLink: Method<'createPagePreviewLink'>
    /** List the revisions of a page. `GET /admin/cms/pages/{pageId}/revisions` */
    listPageRevisions: Method<'listPageRevisions'>
    /** Show a revision of a page. `GET /admin/cms/pages/{pageId}/revisions/{number}` */
    getPageRevision: Method<'getPageRevision'>
    /** Compare a revision with another one. `GET /admin/cms/pages/{pageId}/revisions/{number}/diff` */
    diffPageRevision: Method<'diffPageRevision'>
    /** Restore a revision as a new one. `POST /admin/cms/pages/{pageId}/revisions/{number}/restore` */
    restorePageRevision: Method<'restorePageRevision'>
    /** List the homepage slots. `GET /admin/cms/slots` */
    listSlots: Method<'listSlots'>
    /** Create a homepage slot. `POST /admin/cms/slots` */
    createSlot: Method<'createSlot'>
    /** Show a homepage slot. `GET /admin/cms/slots/{slotId}` */
    getSlot: Method<'getSlot'>
    /** Change a homepage slot. `PATCH /admin/cms/slots/{slotId}` */
    updateSlot: Method<'updateSlot'>
    /** Delete a homepage slot. `DELETE /admin/cms/slots/{slotId}` */
    deleteSlot: Method<'deleteSlot'>
    /** Reorder the slots of a kind. `POST /admin/cms/slots/order` */
    orderSlots: Method<'orderSlots'>
    /** List the content blocks. `GET /admin/cms/blocks` */
    listBlocks: Method<'listBlocks'>
    /** Create a content block. `POST /admin/cms/blocks` */
    createBlock: Method<'createBlock'>
    /** Show a content block. `GET /admin/cms/blocks/{blockId}` */
    getBlock: Method<'getBlock'>
    /** Change a content block. `PATCH /admin/cms/blocks/{blockId}` */
    updateBlock: Method<'updateBlock'>
    /** Delete a content block. `DELETE /admin/cms/blocks/{blockId}` */
    deleteBlock: Method<'deleteBlock'>
    /** Create or replace the content block of a key. `PUT /admin/cms/blocks/by-key/{key}` */
    putBlock: Method<'putBlock'>
  }
  catalog: {
    /** List all products, including drafts. `GET /admin/products` */
    listAllProducts: Method<'listAllProducts'>
    /** Create a product. `POST /admin/products` */
    createProduct: Method<'createProduct'>
    /** Get a product, including a draft. `GET /admin/products/{productId}` */
    getProductById: Method<'getProductById'>
    /** Update a product. `PATCH /admin/products/{productId}` */
    updateProduct: Method<'updateProduct'>
    /** Delete a product with everything that belongs to it. `DELETE /admin/products/{productId}` */
    deleteProduct: Method<'deleteProduct'>
    /** Create a preview link to a product, including a draft. `POST /admin/products/{productId}/preview-link` */
    createProductPreviewLink: Method<'createProductPreviewLink'>
    /** List the features of a product. `GET /admin/products/{productId}/features` */
    listProductFeatures: Method<'listProductFeatures'>
    /** Create a feature of a product. `POST /admin/products/{productId}/features` */
    createProductFeature: Method<'createProductFeature'>
    /** Get a feature of a product. `GET /admin/products/{productId}/features/{id}` */
    getProductFeature: Method<'getProductFeature'>
    /** Update a feature of a product. `PATCH /admin/products/{productId}/features/{id}` */
    updateProductFeature: Method<'updateProductFeature'>
    /** Delete a feature of a product. `DELETE /admin/products/{productId}/features/{id}` */
    deleteProductFeature: Method<'deleteProductFeature'>
    /** List the plans of a product. `GET /admin/products/{productId}/plans` */
    listProductPlans: Method<'listProductPlans'>
    /** Create a plan of a product. `POST /admin/products/{productId}/plans` */
    createProductPlan: Method<'createProductPlan'>
    /** Get a plan of a product. `GET /admin/products/{productId}/plans/{id}` */
    getProductPlan: Method<'getProductPlan'>
    /** Update a plan of a product. `PATCH /admin/products/{productId}/plans/{id}` */
    updateProductPlan: Method<'updateProductPlan'>
    /** Delete a plan of a product. `DELETE /admin/products/{productId}/plans/{id}` */
    deleteProductPlan: Method<'deleteProductPlan'>
    /** List the pictures and films of a product. `GET /admin/products/{productId}/media` */
    listProductMedia: Method<'listProductMedia'>
    /** Create a picture or film of a product. `POST /admin/products/{productId}/media` */
    createProductMedia: Method<'createProductMedia'>
    /** Get a picture or film of a product. `GET /admin/products/{productId}/media/{id}` */
    getProductMedia: Method<'getProductMedia'>
    /** Update a picture or film of a product. `PATCH /admin/products/{productId}/media/{id}` */
    updateProductMedia: Method<'updateProductMedia'>
    /** Delete a picture or film of a product. `DELETE /admin/products/{productId}/media/{id}` */
    deleteProductMedia: Method<'deleteProductMedia'>
    /** List the docs sections of a product. `GET /admin/products/{productId}/doc-sections` */
    listDocSections: Method<'listDocSections'>
    /** Create a docs section of a product. `POST /admin/products/{productId}/doc-sections` */
    createDocSection: Method<'createDocSection'>
    /** Get a docs section of a product. `GET /admin/products/{productId}/doc-sections/{id}` */
    getDocSection: Method<'getDocSection'>
    /** Update a docs section of a product. `PATCH /admin/products/{productId}/doc-sections/{id}` */
    updateDocSection: Method<'updateDocSection'>
    /** Delete a docs section of a product. `DELETE /admin/products/{productId}/doc-sections/{id}` */
    deleteDocSection: Method<'deleteDocSection'>
    /** List the docs of a product. `GET /admin/products/{productId}/docs` */
    listProductDocs: Method<'listProductDocs'>
    /** Create a doc of a product. `POST /admin/products/{productId}/docs` */
    createProductDoc: Method<'createProductDoc'>
    /** Get a doc of a product. `GET /admin/products/{productId}/docs/{id}` */
    getProductDoc: Method<'getProductDoc'>
    /** Update a doc of a product. `PATCH /admin/products/{productId}/docs/{id}` */
    updateProductDoc: Method<'updateProductDoc'>
    /** Delete a doc of a product. `DELETE /admin/products/{productId}/docs/{id}` */
    deleteProductDoc: Method<'deleteProductDoc'>
    /** List the versions of a product. `GET /admin/products/{productId}/versions` */
    listProductVersions: Method<'listProductVersions'>
    /** Create a version of a product. `POST /admin/products/{productId}/versions` */
    createProductVersion: Method<'createProductVersion'>
    /** Get a version of a product. `GET /admin/products/{productId}/versions/{id}` */
    getProductVersion: Method<'getProductVersion'>
    /** Update a version of a product. `PATCH /admin/products/{productId}/versions/{id}` */
    updateProductVersion: Method<'updateProductVersion'>
    /** Delete a version of a product. `DELETE /admin/products/{productId}/versions/{id}` */
    deleteProductVersion: Method<'deleteProductVersion'>
    /** List the downloads of a product. `GET /admin/products/{productId}/downloads` */
    listProductDownloads: Method<'listProductDownloads'>
    /** Create a download of a product. `POST /admin/products/{productId}/downloads` */
    createProductDownload: Method<'createProductDownload'>
    /** Get a download of a product. `GET /admin/products/{productId}/downloads/{id}` */
    getProductDownload: Method<'getProductDownload'>
    /** Update a download of a product. `PATCH /admin/products/{productId}/downloads/{id}` */
    updateProductDownload: Method<'updateProductDownload'>
    /** Delete a download of a product. `DELETE /admin/products/{productId}/downloads/{id}` */
    deleteProductDownload: Method<'deleteProductDownload'>
  }
  media: {
    /** Upload a file. `POST /admin/cms/media` */
    upload: Method<'uploadMedia'>
    /** List the uploaded files, newest first. `GET /admin/cms/media` */
    list: Method<'listMedia'>
    /** Get a file and its uses. `GET /admin/cms/media/{mediaId}` */
    get: Method<'getMedia'>
    /** Change the texts, the folder, the tags or the focal point of a file. `PATCH /admin/cms/media/{mediaId}` */
    update: Method<'updateMedia'>
    /** Delete an unused file. `DELETE /admin/cms/media/{mediaId}` */
    delete: Method<'deleteMedia'>
  }
  analytics: {
    /** Show what was read most, compared with the period before. `GET /admin/analytics/overview` */
    getOverview: Method<'getAnalyticsOverview'>
    /** Show the visits and downloads of a product. `GET /admin/analytics/products/{productId}` */
    getProduct: Method<'getProductAnalytics'>
    /** Show one number over time. `GET /admin/analytics/timeseries` */
    getTimeseries: Method<'getAnalyticsTimeseries'>
    /** List single visits, newest first. `GET /admin/analytics/events` */
    listEvents: Method<'listAnalyticsEvents'>
    /** Get the usage of a tenant by day and product. `GET /admin/tenants/{tenantId}/usage` */
    getTenantUsage: Method<'getTenantUsage'>
  }
  tenants: {
    /** Create a tenant. `POST /admin/tenants` */
    create: Method<'createTenant'>
    /** List tenants. `GET /admin/tenants` */
    list: Method<'listTenants'>
    /** Get a tenant. `GET /admin/tenants/{tenantId}` */
    get: Method<'getTenant'>
    /** Update a tenant. `PATCH /admin/tenants/{tenantId}` */
    update: Method<'updateTenant'>
    /** Delete a tenant. `DELETE /admin/tenants/{tenantId}` */
    delete: Method<'deleteTenant'>
    /** Export a tenant. `GET /admin/tenants/{tenantId}/export` */
    export: Method<'exportTenant'>
    /** Erase a tenant. `POST /admin/tenants/{tenantId}/erase` */
    erase: Method<'eraseTenant'>
  }
  apiKeys: {
    /** Create an API key. `POST /admin/tenants/{tenantId}/api-keys` */
    create: Method<'createApiKey'>
    /** List the API keys of a tenant. `GET /admin/tenants/{tenantId}/api-keys` */
    list: Method<'listApiKeys'>
    /** Get an API key. `GET /admin/tenants/{tenantId}/api-keys/{keyId}` */
    get: Method<'getApiKey'>
    /** Revoke an API key. `DELETE /admin/tenants/{tenantId}/api-keys/{keyId}` */
    revoke: Method<'revokeApiKey'>
    /** Rotate an API key. `POST /admin/tenants/{tenantId}/api-keys/{keyId}/rotate` */
    rotate: Method<'rotateApiKey'>
    /** Finish a key rotation early. `POST /admin/tenants/{tenantId}/api-keys/{keyId}/finish-rotation` */
    finishRotation: Method<'finishApiKeyRotation'>
  }
  adminKeys: {
    /** Create an admin key. `POST /v1/platform/admin/keys` */
    create: Method<'createAdminKey'>
    /** List admin keys. `GET /v1/platform/admin/keys` */
    list: Method<'listAdminKeys'>
    /** Rename an admin key. `PATCH /v1/platform/admin/keys/{keyId}` */
    update: Method<'updateAdminKey'>
    /** Revoke an admin key. `DELETE /v1/platform/admin/keys/{keyId}` */
    revoke: Method<'revokeAdminKey'>
    /** Get an admin key. `GET /v1/platform/admin/keys/{keyId}` */
    get: Method<'getAdminKey'>
    /** Rotate an admin key. `POST /v1/platform/admin/keys/{keyId}/rotate` */
    rotate: Method<'rotateAdminKey'>
  }
  audit: {
    /** List audit log entries. `GET /admin/audit-logs` */
    list: Method<'listAuditLogs'>
    /** Verify the audit log. `POST /v1/platform/admin/audit/verify` */
    verify: Method<'verifyAuditLog'>
  }
  users: {
    /** List users. `GET /admin/users` */
    list: Method<'listUsers'>
    /** Get a user. `GET /admin/users/{userId}` */
    get: Method<'getUser'>
    /** Update a user. `PATCH /admin/users/{userId}` */
    update: Method<'updateUser'>
    /** Delete a user. `DELETE /admin/users/{userId}` */
    remove: Method<'removeUser'>
  }
  browserSessions: {
    /** List who is signed in to the console. `GET /v1/platform/admin/sessions` */
    list: Method<'listBrowserSessions'>
    /** Sign somebody out of the console. `DELETE /v1/platform/admin/sessions/{sessionId}` */
    end: Method<'endBrowserSession'>
  }
  signInLinks: {
    /** Create a sign-in link. `POST /v1/platform/admin/sign-in-links` */
    create: Method<'createSignInLink'>
    /** List sign-in links. `GET /v1/platform/admin/sign-in-links` */
    list: Method<'listSignInLinks'>
    /** Delete a sign-in link. `DELETE /v1/platform/admin/sign-in-links/{linkId}` */
    delete: Method<'deleteSignInLink'>
  }
  licenses: {
    /** Create a license. `POST /vault/v1/licenses` */
    create: Method<'createLicense'>
    /** List licenses. `GET /vault/v1/licenses` */
    list: Method<'listLicenses'>
    /** Update a license. `PATCH /vault/v1/licenses/{key}` */
    update: Method<'updateLicense'>
    /** Get a license. `GET /vault/v1/licenses/{key}` */
    get: Method<'getLicense'>
    /** Revoke a license. `POST /vault/v1/licenses/{key}/revoke` */
    revoke: Method<'revokeLicense'>
    /** List the uses of a license. `GET /vault/v1/licenses/{key}/uses` */
    listUses: Method<'listLicenseUses'>
  }
  devices: {
    /** List the devices of a tenant. `GET /admin/tenants/{tenantId}/devices` */
    list: Method<'listTenantDevices'>
    /** Get a device of a tenant. `GET /admin/tenants/{tenantId}/devices/{deviceId}` */
    get: Method<'getTenantDevice'>
    /** Revoke a device of a tenant. `DELETE /admin/tenants/{tenantId}/devices/{deviceId}` */
    revoke: Method<'revokeTenantDevice'>
  }
  vpn: {
    /** List the open VPN sessions of all tenants. `GET /admin/vpn/sessions` */
    listAllSessions: Method<'listAllSessions'>
    /** End a VPN session of any tenant. `POST /admin/vpn/sessions/{sessionId}/end` */
    endSession: Method<'endSession'>
    /** List the VPN sessions of a tenant. `GET /admin/tenants/{tenantId}/vpn/sessions` */
    listSessions: Method<'listTenantSessions'>
    /** List the VPN servers. `GET /admin/vpn/servers` */
    listServers: Method<'listServers'>
    /** Add a VPN server. `POST /admin/vpn/servers` */
    createServer: Method<'createServer'>
    /** Show a VPN server. `GET /admin/vpn/servers/{serverId}` */
    getServer: Method<'getServer'>
    /** Change a VPN server. `PATCH /admin/vpn/servers/{serverId}` */
    updateServer: Method<'updateServer'>
    /** Delete a VPN server that has no devices. `DELETE /admin/vpn/servers/{serverId}` */
    deleteServer: Method<'deleteServer'>
    /** Create an enrollment token for a node. `POST /admin/vpn/servers/{serverId}/enrollment-token` */
    createEnrollmentToken: Method<'createEnrollmentToken'>
    /** Revoke the token of a server’s node. `DELETE /admin/vpn/servers/{serverId}/node-token` */
    revokeNodeToken: Method<'revokeNodeToken'>
  }
  usage: {
    /** List the limits of all plans. `GET /admin/usage/plans` */
    listPlanLimits: Method<'listPlanLimits'>
    /** Get the limits of a plan. `GET /admin/usage/plans/{plan}` */
    getPlanLimits: Method<'getPlanLimits'>
    /** Change the limits of a plan. `PUT /admin/usage/plans/{plan}` */
    updatePlanLimits: Method<'updatePlanLimits'>
    /** Get what is set for a quota of a tenant. `GET /admin/tenants/{tenantId}/quotas/{meter}` */
    getTenantQuota: Method<'getTenantQuota'>
    /** Set a quota of a tenant. `PUT /admin/tenants/{tenantId}/quotas/{meter}` */
    setTenantQuota: Method<'setTenantQuota'>
    /** Let the plan decide on a quota again. `DELETE /admin/tenants/{tenantId}/quotas/{meter}` */
    deleteTenantQuota: Method<'deleteTenantQuota'>
    /** List the limits of a tenant and what is used of them. `GET /admin/tenants/{tenantId}/quotas` */
    listTenantQuotas: Method<'listTenantQuotas'>
    /** List the tenants that have used most of a meter in the current window, or store most. `GET /admin/usage` */
    listTenants: Method<'listTenantsByUsage'>
    /** Compare the counters of a tenant with the uses behind them. `POST /admin/tenants/{tenantId}/usage/recount` */
    recountTenant: Method<'recountTenantUsage'>
    /** Get the result of a recount. `GET /admin/tenants/{tenantId}/usage/recounts/{recountId}` */
    getTenantRecount: Method<'getTenantUsageRecount'>
    /** List reservations of tokens that were never settled. `GET /admin/usage/unsettled` */
    listUnsettledReservations: Method<'listUnsettledReservations'>
  }
  organizations: {
    /** List the organizations of a tenant. `GET /admin/tenants/{tenantId}/orgs` */
    listOfTenant: Method<'listTenantOrgs'>
    /** Delete an organization of a tenant. `DELETE /admin/tenants/{tenantId}/orgs/{orgId}` */
    delete: Method<'deleteTenantOrg'>
    /** Make a user a member of an organization of a tenant. `POST /admin/tenants/{tenantId}/orgs/{orgId}/members` */
    addMember: Method<'addTenantOrgMember'>
  }
  mails: {
    /** List mails of the last 30 days, newest first. `GET /v1/platform/admin/mails` */
    list: Method<'listMails'>
    /** Retry a mail. `POST /v1/platform/admin/mails/{mailId}/retry` */
    retry: Method<'retryMail'>
  }
  email: {
    /** List received mails, newest first (platform administrators). `GET /admin/tenants/{tenantId}/email/messages` */
    list: Method<'listTenantReceivedMails'>
    /** Get a received mail with its text (platform administrators). `GET /admin/tenants/{tenantId}/email/messages/{messageId}` */
    get: Method<'getTenantReceivedMail'>
  }
  inbound: {
    /** List drafted answers, newest first (platform administrators). `GET /admin/tenants/{tenantId}/answers` */
    listDraftedAnswers: Method<'listTenantDraftedAnswers'>
    /** Get a drafted answer with its text and quotes (platform administrators). `GET /admin/tenants/{tenantId}/answers/{answerId}` */
    getDraftedAnswer: Method<'getTenantDraftedAnswer'>
    /** Create a connection (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/connections` */
    createWebhookConnection: Method<'createTenantWebhookConnection'>
    /** List connections, newest first (platform administrators). `GET /admin/tenants/{tenantId}/webhooks/connections` */
    listWebhookConnections: Method<'listTenantWebhookConnections'>
    /** Get a connection (platform administrators). `GET /admin/tenants/{tenantId}/webhooks/connections/{connectionId}` */
    getWebhookConnection: Method<'getTenantWebhookConnection'>
    /** Update a connection (platform administrators). `PATCH /admin/tenants/{tenantId}/webhooks/connections/{connectionId}` */
    updateWebhookConnection: Method<'updateTenantWebhookConnection'>
    /** Delete a connection (platform administrators). `DELETE /admin/tenants/{tenantId}/webhooks/connections/{connectionId}` */
    deleteWebhookConnection: Method<'deleteTenantWebhookConnection'>
    /** Pause a connection (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/connections/{connectionId}/pause` */
    pauseWebhookConnection: Method<'pauseTenantWebhookConnection'>
    /** Resume a connection (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/connections/{connectionId}/resume` */
    resumeWebhookConnection: Method<'resumeTenantWebhookConnection'>
    /** Replace the secret of a connection (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/connections/{connectionId}/rotate-secret` */
    rotateWebhookConnectionSecret: Method<'rotateTenantWebhookConnectionSecret'>
    /** Send a test delivery to a connection (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/connections/{connectionId}/test` */
    testWebhookConnection: Method<'testTenantWebhookConnection'>
    /** List deliveries, newest first (platform administrators). `GET /admin/tenants/{tenantId}/webhooks/deliveries` */
    listInboundDeliveries: Method<'listTenantInboundDeliveries'>
    /** Get a delivery with its timeline and effects (platform administrators). `GET /admin/tenants/{tenantId}/webhooks/deliveries/{deliveryId}` */
    getInboundDelivery: Method<'getTenantInboundDelivery'>
    /** Replay a delivery (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/deliveries/{deliveryId}/replay` */
    replayInboundDelivery: Method<'replayTenantInboundDelivery'>
    /** Replay many deliveries (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/deliveries/replay` */
    replayInboundDeliveries: Method<'replayTenantInboundDeliveries'>
  }
  bots: {
    /** Take the bots of all tenants out of their meetings. `POST /admin/bot/stop-all` */
    stopAllOfAllTenants: Method<'stopAllBotsOfAllTenants'>
    /** Stop or allow sending bots of all tenants. `PUT /admin/bot/pause` */
    setPauseOfAllTenants: Method<'setBotPauseOfAllTenants'>
    /** List the programs that run bots (for all tenants). `GET /admin/bot/runners` */
    listSharedRunners: Method<'listSharedBotRunners'>
    /** Add a program that runs bots (for all tenants). `POST /admin/bot/runners` */
    createSharedRunner: Method<'createSharedBotRunner'>
    /** Show a program that runs bots (for all tenants). `GET /admin/bot/runners/{runnerId}` */
    getSharedRunner: Method<'getSharedBotRunner'>
    /** Remove a program that runs bots (for all tenants). `DELETE /admin/bot/runners/{runnerId}` */
    deleteSharedRunner: Method<'deleteSharedBotRunner'>
    /** Create another enrollment token for a runner (for all tenants). `POST /admin/bot/runners/{runnerId}/enrollment-token` */
    createSharedRunnerEnrollmentToken: Method<'createSharedBotRunnerEnrollmentToken'>
  }
  integrations: {
    /** List the OAuth apps of the platform. `GET /admin/integrations/apps` */
    listPlatformApps: Method<'listPlatformIntegrationApps'>
    /** Set the OAuth app of the platform at a provider. `PUT /admin/integrations/apps/{provider}` */
    setPlatformApp: Method<'setPlatformIntegrationApp'>
    /** Delete the OAuth app of the platform at a provider. `DELETE /admin/integrations/apps/{provider}` */
    deletePlatformApp: Method<'deletePlatformIntegrationApp'>
  }
  webhooks: {
    /** List the endpoints of the tenant, newest first (platform administrators). `GET /admin/tenants/{tenantId}/webhooks/endpoints` */
    listEndpoints: Method<'listTenantWebhookEndpoints'>
    /** Create an endpoint (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/endpoints` */
    createEndpoint: Method<'createTenantWebhookEndpoint'>
    /** Get an endpoint (platform administrators). `GET /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}` */
    getEndpoint: Method<'getTenantWebhookEndpoint'>
    /** Change an endpoint (platform administrators). `PATCH /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}` */
    updateEndpoint: Method<'updateTenantWebhookEndpoint'>
    /** Delete an endpoint and its deliveries (platform administrators). `DELETE /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}` */
    deleteEndpoint: Method<'deleteTenantWebhookEndpoint'>
    /** Replace the signing secret (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/rotate-secret` */
    rotateEndpointSecret: Method<'rotateTenantWebhookEndpointSecret'>
    /** Enable a disabled endpoint (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/enable` */
    enableEndpoint: Method<'enableTenantWebhookEndpoint'>
    /** List the deliveries of an endpoint in the last 30 days, newest first (platform administrators). `GET /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/deliveries` */
    listDeliveries: Method<'listTenantWebhookDeliveries'>
    /** Send a test event to an endpoint (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/test` */
    testEndpoint: Method<'testTenantWebhookEndpoint'>
    /** Resend a delivery (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/deliveries/{messageId}/resend` */
    resendDelivery: Method<'resendTenantWebhookDelivery'>
    /** Resend the failed deliveries since a time (platform administrators). `POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/recover` */
    recoverEndpoint: Method<'recoverTenantWebhookEndpoint'>
  }
}

export type AdminOperationId =
  | 'getPlatformOverview'
  | 'searchPlatform'
  | 'getSettings'
  | 'listJobs'
  | 'retryJob'
  | 'retryJobs'
  | 'createSnapshot'
  | 'exportBundle'
  | 'importBundle'
  | 'listAllProducts'
  | 'createProduct'
  | 'getProductById'
  | 'updateProduct'
  | 'deleteProduct'
  | 'createProductPreviewLink'
  | 'listProductFeatures'
  | 'createProductFeature'
  | 'getProductFeature'
  | 'updateProductFeature'
  | 'deleteProductFeature'
  | 'listProductPlans'
  | 'createProductPlan'
  | 'getProductPlan'
  | 'updateProductPlan'
  | 'deleteProductPlan'
  | 'listProductMedia'
  | 'createProductMedia'
  | 'getProductMedia'
  | 'updateProductMedia'
  | 'deleteProductMedia'
  | 'listDocSections'
  | 'createDocSection'
  | 'getDocSection'
  | 'updateDocSection'
  | 'deleteDocSection'
  | 'listProductDocs'
  | 'createProductDoc'
  | 'getProductDoc'
  | 'updateProductDoc'
  | 'deleteProductDoc'
  | 'listProductVersions'
  | 'createProductVersion'
  | 'getProductVersion'
  | 'updateProductVersion'
  | 'deleteProductVersion'
  | 'listProductDownloads'
  | 'createProductDownload'
  | 'getProductDownload'
  | 'updateProductDownload'
  | 'deleteProductDownload'
  | 'createPage'
  | 'listPages'
  | 'getPage'
  | 'savePage'
  | 'patchPage'
  | 'deletePage'
  | 'publishPage'
  | 'unpublishPage'
  | 'archivePage'
  | 'discardPageDraft'
  | 'createPagePreviewLink'
  | 'listPageRevisions'
  | 'getPageRevision'
  | 'diffPageRevision'
  | 'restorePageRevision'
  | 'listSlots'
  | 'createSlot'
  | 'getSlot'
  | 'updateSlot'
  | 'deleteSlot'
  | 'orderSlots'
  | 'listBlocks'
  | 'createBlock'
  | 'getBlock'
  | 'updateBlock'
  | 'deleteBlock'
  | 'putBlock'
  | 'uploadMedia'
  | 'listMedia'
  | 'getMedia'
  | 'updateMedia'
  | 'deleteMedia'
  | 'getAnalyticsOverview'
  | 'getProductAnalytics'
  | 'getAnalyticsTimeseries'
  | 'listAnalyticsEvents'
  | 'createTenant'
  | 'listTenants'
  | 'getTenant'
  | 'updateTenant'
  | 'deleteTenant'
  | 'exportTenant'
  | 'eraseTenant'
  | 'createApiKey'
  | 'listApiKeys'
  | 'getApiKey'
  | 'revokeApiKey'
  | 'rotateApiKey'
  | 'finishApiKeyRotation'
  | 'createAdminKey'
  | 'listAdminKeys'
  | 'updateAdminKey'
  | 'revokeAdminKey'
  | 'getAdminKey'
  | 'rotateAdminKey'
  | 'listAuditLogs'
  | 'verifyAuditLog'
  | 'checkAccess'
  | 'listUsers'
  | 'getUser'
  | 'updateUser'
  | 'removeUser'
  | 'listBrowserSessions'
  | 'endBrowserSession'
  | 'createSignInLink'
  | 'listSignInLinks'
  | 'deleteSignInLink'
  | 'createLicense'
  | 'listLicenses'
  | 'updateLicense'
  | 'getLicense'
  | 'revokeLicense'
  | 'listLicenseUses'
  | 'listTenantDevices'
  | 'getTenantDevice'
  | 'revokeTenantDevice'
  | 'listAllSessions'
  | 'endSession'
  | 'listTenantSessions'
  | 'listServers'
  | 'createServer'
  | 'getServer'
  | 'updateServer'
  | 'deleteServer'
  | 'createEnrollmentToken'
  | 'revokeNodeToken'
  | 'getTenantUsage'
  | 'listPlanLimits'
  | 'getPlanLimits'
  | 'updatePlanLimits'
  | 'getTenantQuota'
  | 'setTenantQuota'
  | 'deleteTenantQuota'
  | 'listTenantQuotas'
  | 'listTenantsByUsage'
  | 'recountTenantUsage'
  | 'getTenantUsageRecount'
  | 'listUnsettledReservations'
  | 'listTenantOrgs'
  | 'deleteTenantOrg'
  | 'addTenantOrgMember'
  | 'listMails'
  | 'retryMail'
  | 'listTenantReceivedMails'
  | 'getTenantReceivedMail'
  | 'listTenantDraftedAnswers'
  | 'getTenantDraftedAnswer'
  | 'stopAllBotsOfAllTenants'
  | 'setBotPauseOfAllTenants'
  | 'listSharedBotRunners'
  | 'createSharedBotRunner'
  | 'getSharedBotRunner'
  | 'deleteSharedBotRunner'
  | 'createSharedBotRunnerEnrollmentToken'
  | 'createTenantWebhookConnection'
  | 'listTenantWebhookConnections'
  | 'getTenantWebhookConnection'
  | 'updateTenantWebhookConnection'
  | 'deleteTenantWebhookConnection'
  | 'pauseTenantWebhookConnection'
  | 'resumeTenantWebhookConnection'
  | 'rotateTenantWebhookConnectionSecret'
  | 'testTenantWebhookConnection'
  | 'listTenantInboundDeliveries'
  | 'getTenantInboundDelivery'
  | 'replayTenantInboundDelivery'
  | 'replayTenantInboundDeliveries'
  | 'listPlatformIntegrationApps'
  | 'setPlatformIntegrationApp'
  | 'deletePlatformIntegrationApp'
  | 'listTenantWebhookEndpoints'
  | 'createTenantWebhookEndpoint'
  | 'getTenantWebhookEndpoint'
  | 'updateTenantWebhookEndpoint'
  | 'deleteTenantWebhookEndpoint'
  | 'rotateTenantWebhookEndpointSecret'
  | 'enableTenantWebhookEndpoint'
  | 'listTenantWebhookDeliveries'
  | 'testTenantWebhookEndpoint'
  | 'resendTenantWebhookDelivery'
  | 'recoverTenantWebhookEndpoint'
