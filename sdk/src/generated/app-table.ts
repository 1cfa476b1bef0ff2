// Generated from openapi/api.json by `npm run generate`.

export const appTable = `
system:
health GET /health -
healthLive GET /health/live -
catalog:
listProducts GET /products - products
getProduct GET /products/{slug} -
listDocs GET /products/{slug}/docs -
getDoc GET /products/{slug}/docs/{docSlug} -
exportDocs GET /products/{slug}/docs.md -
listVersions GET /products/{slug}/versions - versions
download GET /products/{slug}/downloads/{id} -
content:
listPages=listPublicPages GET /cms/pages - pages
getPage=getPublicPage GET /cms/pages/{slug} -
getHomepage GET /cms/homepage -
listBlocks=listPublicBlocks GET /cms/blocks - blocks
getBlock=getPublicBlock GET /cms/blocks/{key} -
media:
getFile=getMediaFile GET /media/{hash}/{name} -
auth:
register POST /v1/auth/register ib
login POST /v1/auth/login b
refresh POST /v1/auth/refresh ib
logout POST /v1/auth/logout tb
getMe GET /v1/auth/me t
updateMe PATCH /v1/auth/me tb
removeMe DELETE /v1/auth/me tb
changePassword POST /v1/auth/password tb
forgotPassword POST /v1/auth/password/forgot b
resetPassword POST /v1/auth/password/reset b
verifyEmail POST /v1/auth/verify-email b
resendVerification POST /v1/auth/verify-email/resend t
signInWithGoogle POST /v1/auth/google ib
linkGoogle POST /v1/auth/google/link tb
unlinkGoogle DELETE /v1/auth/google/link tb
licenses:
validate=validateLicense POST /vault/v1/licenses/validate ib
devices:
register=registerDevice POST /vault/v1/devices tib
list=listDevices GET /vault/v1/devices t devices
rotateKeys=rotateDeviceKeys POST /vault/v1/devices/{deviceId}/rotate tib
move=moveDevice POST /vault/v1/devices/{deviceId}/move tib
get=getDevice GET /vault/v1/devices/{deviceId} t
rename=renameDevice PATCH /vault/v1/devices/{deviceId} tb
revoke=revokeDevice DELETE /vault/v1/devices/{deviceId} t
getConfig=getDeviceConfig GET /vault/v1/devices/{deviceId}/config t
vpn:
connect POST /vault/v1/vpn/connect tib
disconnect POST /vault/v1/vpn/disconnect tb
listSessions GET /vault/v1/vpn/sessions t sessions
getSession GET /vault/v1/vpn/sessions/{sessionId} t
getUsage GET /vault/v1/vpn/usage t
listOpenServers GET /vault/v1/vpn/servers t servers
usage:
listLimits=listUsageLimits GET /assistant/v1/usage/limits t limits
setLimit=setUsageLimit PUT /assistant/v1/usage/limits tb
deleteLimit=deleteUsageLimit DELETE /assistant/v1/usage/limits t
getThresholds=getUsageThresholds GET /assistant/v1/usage/thresholds t
setThresholds=setUsageThresholds PUT /assistant/v1/usage/thresholds tb
getMeter=getMeterUsage GET /assistant/v1/usage t
listQuotas GET /assistant/v1/usage/quotas t
organizations:
list=listOrgs GET /assistant/v1/orgs t orgs
create=createOrg POST /assistant/v1/orgs tib
get=getOrg GET /assistant/v1/orgs/{orgId} t
update=updateOrg PATCH /assistant/v1/orgs/{orgId} tb
delete=deleteOrg DELETE /assistant/v1/orgs/{orgId} t
export=exportOrg GET /assistant/v1/orgs/{orgId}/export t
listMembers=listOrgMembers GET /assistant/v1/orgs/{orgId}/members t members
addMember=addOrgMember POST /assistant/v1/orgs/{orgId}/members tib
updateOwnMembership=updateOwnOrgMembership PATCH /assistant/v1/orgs/{orgId}/members/me tb
leave=leaveOrg DELETE /assistant/v1/orgs/{orgId}/members/me t
updateMember=updateOrgMember PATCH /assistant/v1/orgs/{orgId}/members/{userId} tb
removeMember=removeOrgMember DELETE /assistant/v1/orgs/{orgId}/members/{userId} t
transfer=transferOrg POST /assistant/v1/orgs/{orgId}/transfer tib
listInvitations=listOrgInvitations GET /assistant/v1/orgs/{orgId}/invitations t invitations
createInvitation=createOrgInvitation POST /assistant/v1/orgs/{orgId}/invitations tib
listReceivedInvitations GET /assistant/v1/invitations t invitations
resendInvitation=resendOrgInvitation POST /assistant/v1/orgs/{orgId}/invitations/{invitationId}/resend ti
revokeInvitation=revokeOrgInvitation DELETE /assistant/v1/orgs/{orgId}/invitations/{invitationId} t
acceptInvitation POST /assistant/v1/invitations/accept tib
declineInvitation POST /assistant/v1/invitations/decline tb
email:
list=listReceivedMails GET /assistant/v1/email/messages t messages
getConfig=getEmailConfig GET /assistant/v1/email/config t
setConfig=setEmailConfig PUT /assistant/v1/email/config tb - orgId
createDkimKey=createEmailDkimKey POST /assistant/v1/email/config/dkim ti
verifyConfig=verifyEmailConfig POST /assistant/v1/email/config/verify t
getVerification=getEmailVerification GET /assistant/v1/email/config/verifications/{verificationId} t
listThreads=listEmailThreads GET /assistant/v1/email/threads t threads
getThread=getEmailThread GET /assistant/v1/email/threads/{threadId} t
getMessage=getEmailMessage GET /assistant/v1/email/messages/{messageId} t
updateDraft=updateEmailDraft PATCH /assistant/v1/email/messages/{messageId} tb
getRawMessage=getRawEmailMessage GET /assistant/v1/email/messages/{messageId}/raw t
send=sendEmail POST /assistant/v1/email/send tib - orgId
listSuppressions=listEmailSuppressions GET /assistant/v1/email/suppressions t suppressions
createSuppression=createEmailSuppression POST /assistant/v1/email/suppressions tib - orgId
getSuppression=getEmailSuppression GET /assistant/v1/email/suppressions/{suppressionId} t
deleteSuppression=deleteEmailSuppression DELETE /assistant/v1/email/suppressions/{suppressionId} t
discardDraft=discardEmailDraft POST /assistant/v1/email/messages/{messageId}/discard t
getTrace=getEmailTrace GET /assistant/v1/email/messages/{messageId}/trace t
approveDraft=approveEmailDraft POST /assistant/v1/email/messages/{messageId}/approve tb
retryMessage=retryEmailMessage POST /assistant/v1/email/messages/{messageId}/retry t
simulate=simulateEmail POST /assistant/v1/email/simulate tb - orgId
getDigest=getEmailDigest GET /assistant/v1/email/digest t
setDigest=setEmailDigest PUT /assistant/v1/email/digest tb
meetings:
create=createMeeting POST /assistant/v1/meetings tib
list=listMeetings GET /assistant/v1/meetings t meetings
get=getMeeting GET /assistant/v1/meetings/{meetingId} t
update=updateMeeting PATCH /assistant/v1/meetings/{meetingId} tb
delete=deleteMeeting DELETE /assistant/v1/meetings/{meetingId} t
setSettings=setMeetingSettings PUT /assistant/v1/meetings/{meetingId}/settings tb
start=startMeeting POST /assistant/v1/meetings/{meetingId}/start t
end=endMeeting POST /assistant/v1/meetings/{meetingId}/end t
cancel=cancelMeeting POST /assistant/v1/meetings/{meetingId}/cancel t
appendTranscript POST /assistant/v1/meetings/{meetingId}/transcript tib
getTranscript GET /assistant/v1/meetings/{meetingId}/transcript t
importTranscript POST /assistant/v1/meetings/{meetingId}/transcript/import tib - format
getSummary=getMeetingSummary GET /assistant/v1/meetings/{meetingId}/summary t
listPersonalities GET /assistant/v1/personalities t
inbound:
listDraftedAnswers GET /assistant/v1/answers t answers
getDraftedAnswer GET /assistant/v1/answers/{answerId} t
createWebhookConnection POST /assistant/v1/webhooks/connections tib
listWebhookConnections GET /assistant/v1/webhooks/connections t connections
getWebhookConnection GET /assistant/v1/webhooks/connections/{connectionId} t
updateWebhookConnection PATCH /assistant/v1/webhooks/connections/{connectionId} tb
deleteWebhookConnection DELETE /assistant/v1/webhooks/connections/{connectionId} t
pauseWebhookConnection POST /assistant/v1/webhooks/connections/{connectionId}/pause t
resumeWebhookConnection POST /assistant/v1/webhooks/connections/{connectionId}/resume t
rotateWebhookConnectionSecret POST /assistant/v1/webhooks/connections/{connectionId}/rotate-secret tib
testWebhookConnection POST /assistant/v1/webhooks/connections/{connectionId}/test t
listInboundDeliveries GET /assistant/v1/webhooks/deliveries t deliveries
getInboundDelivery GET /assistant/v1/webhooks/deliveries/{deliveryId} t
replayInboundDelivery POST /assistant/v1/webhooks/deliveries/{deliveryId}/replay ti
replayInboundDeliveries POST /assistant/v1/webhooks/deliveries/replay tib
bots:
stopAll=stopAllBots POST /assistant/v1/bot/stop-all tb
getPause=getBotPause GET /assistant/v1/bot/pause t
setPause=setBotPause PUT /assistant/v1/bot/pause tb
getPolicy=getBotPolicy GET /assistant/v1/bot/policies t
setPolicy=setBotPolicy PUT /assistant/v1/bot/policies tb
listVendors=listBotVendors GET /assistant/v1/bot/vendors t
setVendor=setBotVendor PUT /assistant/v1/bot/vendors/{vendor} tb
deleteVendor=deleteBotVendor DELETE /assistant/v1/bot/vendors/{vendor} t
listRunners=listBotRunners GET /assistant/v1/bot/runners t
createRunner=createBotRunner POST /assistant/v1/bot/runners tib
getRunner=getBotRunner GET /assistant/v1/bot/runners/{runnerId} t
deleteRunner=deleteBotRunner DELETE /assistant/v1/bot/runners/{runnerId} t
createRunnerEnrollmentToken=createBotRunnerEnrollmentToken POST /assistant/v1/bot/runners/{runnerId}/enrollment-token ti
deploy=deployBot POST /assistant/v1/bot tib
list=listBots GET /assistant/v1/bot t bots
get=getBot GET /assistant/v1/bot/{botId} t
update=updateBot PATCH /assistant/v1/bot/{botId} tb
delete=deleteBot DELETE /assistant/v1/bot/{botId} t
leave=leaveBot POST /assistant/v1/bot/{botId}/leave t
sendMessage=sendBotMessage POST /assistant/v1/bot/{botId}/message tib
answerConsent=answerBotConsent POST /assistant/v1/bot/{botId}/consent tb
getArtifact=getBotArtifact GET /assistant/v1/bot/{botId}/artifacts/{name} t
ingestEntries=ingestBotEntries POST /assistant/v1/bot-ingest/entries b
tasks:
list=listOrgTasks GET /assistant/v1/orgs/{orgId}/tasks t tasks
create=createOrgTask POST /assistant/v1/orgs/{orgId}/tasks tib
listOwn=listOwnTasks GET /assistant/v1/tasks t tasks
get=getOrgTask GET /assistant/v1/orgs/{orgId}/tasks/{taskId} t
update=updateOrgTask PATCH /assistant/v1/orgs/{orgId}/tasks/{taskId} tb
delete=deleteOrgTask DELETE /assistant/v1/orgs/{orgId}/tasks/{taskId} t
move=moveOrgTask POST /assistant/v1/orgs/{orgId}/tasks/{taskId}/move tb
change=changeOrgTasks POST /assistant/v1/orgs/{orgId}/tasks/bulk tib
listHistory=listOrgTaskHistory GET /assistant/v1/orgs/{orgId}/tasks/{taskId}/history t history
dismissConflict=dismissOrgTaskConflict DELETE /assistant/v1/orgs/{orgId}/tasks/{taskId}/conflicts/{field} t
listComments=listOrgTaskComments GET /assistant/v1/orgs/{orgId}/tasks/{taskId}/comments t comments
createComment=createOrgTaskComment POST /assistant/v1/orgs/{orgId}/tasks/{taskId}/comments tib
updateComment=updateOrgTaskComment PATCH /assistant/v1/orgs/{orgId}/tasks/{taskId}/comments/{commentId} tb
deleteComment=deleteOrgTaskComment DELETE /assistant/v1/orgs/{orgId}/tasks/{taskId}/comments/{commentId} t
propose=proposeMeetingTasks POST /assistant/v1/meetings/{meetingId}/tasks t
createCalendar=createTaskCalendar POST /assistant/v1/orgs/{orgId}/tasks/calendar ti
deleteCalendar=deleteTaskCalendar DELETE /assistant/v1/orgs/{orgId}/tasks/calendar t
collections:
list=listCollections GET /assistant/v1/orgs/{orgId}/collections t collections
create=createCollection POST /assistant/v1/orgs/{orgId}/collections tib
get=getCollection GET /assistant/v1/orgs/{orgId}/collections/{collectionId} t
update=updateCollection PATCH /assistant/v1/orgs/{orgId}/collections/{collectionId} tb
delete=deleteCollection DELETE /assistant/v1/orgs/{orgId}/collections/{collectionId} t
setMember=setCollectionMember PUT /assistant/v1/orgs/{orgId}/collections/{collectionId}/members/{userId} tb
removeMember=removeCollectionMember DELETE /assistant/v1/orgs/{orgId}/collections/{collectionId}/members/{userId} t
listHistory=listCollectionHistory GET /assistant/v1/orgs/{orgId}/collections/{collectionId}/history t history
documents:
list=listDocuments GET /assistant/v1/orgs/{orgId}/documents t documents
add=addDocument POST /assistant/v1/orgs/{orgId}/documents tib
get=getDocument GET /assistant/v1/orgs/{orgId}/documents/{documentId} t
update=updateDocument PATCH /assistant/v1/orgs/{orgId}/documents/{documentId} tb
delete=deleteDocument DELETE /assistant/v1/orgs/{orgId}/documents/{documentId} t
retry=retryDocument POST /assistant/v1/orgs/{orgId}/documents/{documentId}/retry t
listVersions=listDocumentVersions GET /assistant/v1/orgs/{orgId}/documents/{documentId}/versions t
addVersion=addDocumentVersion POST /assistant/v1/orgs/{orgId}/documents/{documentId}/versions tib
restoreVersion=restoreDocumentVersion POST /assistant/v1/orgs/{orgId}/documents/{documentId}/versions/{version}/restore ti
getContent=getDocumentContent GET /assistant/v1/orgs/{orgId}/documents/{documentId}/content t
search:
search=searchOrg GET /assistant/v1/orgs/{orgId}/search t
ask=askOrg POST /assistant/v1/orgs/{orgId}/ask tb
listAsks=listOrgAsks GET /assistant/v1/orgs/{orgId}/asks t asks
getAsk=getOrgAsk GET /assistant/v1/orgs/{orgId}/asks/{askId} t
deleteAsk=deleteOrgAsk DELETE /assistant/v1/orgs/{orgId}/asks/{askId} t
giveAskFeedback=giveOrgAskFeedback POST /assistant/v1/orgs/{orgId}/asks/{askId}/feedback tb
integrations:
listProviders=listIntegrationProviders GET /assistant/v1/integrations/providers t
listApps=listIntegrationApps GET /assistant/v1/integrations/apps t
setApp=setIntegrationApp PUT /assistant/v1/integrations/apps/{provider} tb
deleteApp=deleteIntegrationApp DELETE /assistant/v1/integrations/apps/{provider} t
connect=connectIntegration POST /assistant/v1/integrations/{provider}/connect tib
confirm=confirmIntegration POST /assistant/v1/integrations/{integrationId}/confirm tb
getReturns=getIntegrationReturns GET /assistant/v1/integrations/returns t
setReturns=setIntegrationReturns PUT /assistant/v1/integrations/returns tb
start=startIntegration POST /assistant/v1/integrations/start/{ticket} b
createAction=createIntegrationAction POST /assistant/v1/integrations/{integrationId}/actions tib
listActions=listIntegrationActions GET /assistant/v1/integrations/actions t actions
getAction=getIntegrationAction GET /assistant/v1/integrations/actions/{actionId} t
retryAction=retryIntegrationAction POST /assistant/v1/integrations/actions/{actionId}/retry t
cancelAction=cancelIntegrationAction POST /assistant/v1/integrations/actions/{actionId}/cancel t
list=listIntegrations GET /assistant/v1/integrations t integrations
get=getIntegration GET /assistant/v1/integrations/{integrationId} t
update=updateIntegration PATCH /assistant/v1/integrations/{integrationId} tb
delete=deleteIntegration DELETE /assistant/v1/integrations/{integrationId} t
chooseAccount=chooseIntegrationAccount POST /assistant/v1/integrations/{integrationId}/account tb
test=testIntegration POST /assistant/v1/integrations/{integrationId}/test t
refresh=refreshIntegration POST /assistant/v1/integrations/{integrationId}/refresh t
getToken=getIntegrationToken POST /assistant/v1/integrations/{integrationId}/token t
sync=syncIntegration POST /assistant/v1/integrations/{integrationId}/sync t
listImportedFiles GET /assistant/v1/integrations/{integrationId}/files t files
webhooks:
listEventTypes=listWebhookEventTypes GET /v1/webhooks/event-types -
listEndpoints=listWebhookEndpoints GET /v1/webhooks/endpoints t endpoints
createEndpoint=createWebhookEndpoint POST /v1/webhooks/endpoints tib
getEndpoint=getWebhookEndpoint GET /v1/webhooks/endpoints/{endpointId} t
updateEndpoint=updateWebhookEndpoint PATCH /v1/webhooks/endpoints/{endpointId} tb
deleteEndpoint=deleteWebhookEndpoint DELETE /v1/webhooks/endpoints/{endpointId} t
rotateEndpointSecret=rotateWebhookEndpointSecret POST /v1/webhooks/endpoints/{endpointId}/rotate-secret ti
enableEndpoint=enableWebhookEndpoint POST /v1/webhooks/endpoints/{endpointId}/enable t
listDeliveries=listWebhookDeliveries GET /v1/webhooks/endpoints/{endpointId}/deliveries t deliveries
testEndpoint=testWebhookEndpoint POST /v1/webhooks/endpoints/{endpointId}/test tib
resendDelivery=resendWebhookDelivery POST /v1/webhooks/endpoints/{endpointId}/deliveries/{messageId}/resend ti
recoverEndpoint=recoverWebhookEndpoint POST /v1/webhooks/endpoints/{endpointId}/recover tib
`
