// Generated from openapi/api.json by `npm run generate`.

export const adminTable = `
system:
getPlatformOverview GET /v1/platform/admin/overview -
searchPlatform POST /v1/platform/admin/search b
getSettings GET /v1/platform/admin/settings -
createSnapshot POST /v1/platform/admin/snapshots b
checkAccess POST /admin/access-check b
jobs:
list=listJobs GET /v1/platform/admin/jobs - jobs
retry=retryJob POST /v1/platform/admin/jobs/{jobId}/retry i
retryAll=retryJobs POST /v1/platform/admin/jobs/retry ib
content:
exportBundle GET /admin/cms/bundle -
importBundle POST /admin/cms/bundle b - dryRun,mode
createPage POST /admin/cms/pages ib
listPages GET /admin/cms/pages - pages
getPage GET /admin/cms/pages/{pageId} -
savePage PUT /admin/cms/pages/{pageId} b - draft
patchPage PATCH /admin/cms/pages/{pageId} b - draft
deletePage DELETE /admin/cms/pages/{pageId} -
publishPage POST /admin/cms/pages/{pageId}/publish b
unpublishPage POST /admin/cms/pages/{pageId}/unpublish b
archivePage POST /admin/cms/pages/{pageId}/archive b
discardPageDraft DELETE /admin/cms/pages/{pageId}/draft -
createPagePreviewLink POST /admin/cms/pages/{pageId}/preview-link b
listPageRevisions GET /admin/cms/pages/{pageId}/revisions - revisions
getPageRevision GET /admin/cms/pages/{pageId}/revisions/{number} -
diffPageRevision GET /admin/cms/pages/{pageId}/revisions/{number}/diff -
restorePageRevision POST /admin/cms/pages/{pageId}/revisions/{number}/restore b - draft
listSlots GET /admin/cms/slots - slots
createSlot POST /admin/cms/slots ib
getSlot GET /admin/cms/slots/{slotId} -
updateSlot PATCH /admin/cms/slots/{slotId} b
deleteSlot DELETE /admin/cms/slots/{slotId} -
orderSlots POST /admin/cms/slots/order b
listBlocks GET /admin/cms/blocks - blocks
createBlock POST /admin/cms/blocks ib
getBlock GET /admin/cms/blocks/{blockId} -
updateBlock PATCH /admin/cms/blocks/{blockId} b
deleteBlock DELETE /admin/cms/blocks/{blockId} -
putBlock PUT /admin/cms/blocks/by-key/{key} b - locale
catalog:
listAllProducts GET /admin/products - products
createProduct POST /admin/products ib
getProductById GET /admin/products/{productId} -
updateProduct PATCH /admin/products/{productId} b
deleteProduct DELETE /admin/products/{productId} -
createProductPreviewLink POST /admin/products/{productId}/preview-link b
listProductFeatures GET /admin/products/{productId}/features - features
createProductFeature POST /admin/products/{productId}/features ib
getProductFeature GET /admin/products/{productId}/features/{id} -
updateProductFeature PATCH /admin/products/{productId}/features/{id} b
deleteProductFeature DELETE /admin/products/{productId}/features/{id} -
listProductPlans GET /admin/products/{productId}/plans - plans
createProductPlan POST /admin/products/{productId}/plans ib
getProductPlan GET /admin/products/{productId}/plans/{id} -
updateProductPlan PATCH /admin/products/{productId}/plans/{id} b
deleteProductPlan DELETE /admin/products/{productId}/plans/{id} -
listProductMedia GET /admin/products/{productId}/media - media
createProductMedia POST /admin/products/{productId}/media ib
getProductMedia GET /admin/products/{productId}/media/{id} -
updateProductMedia PATCH /admin/products/{productId}/media/{id} b
deleteProductMedia DELETE /admin/products/{productId}/media/{id} -
listDocSections GET /admin/products/{productId}/doc-sections - docSections
createDocSection POST /admin/products/{productId}/doc-sections ib
getDocSection GET /admin/products/{productId}/doc-sections/{id} -
updateDocSection PATCH /admin/products/{productId}/doc-sections/{id} b
deleteDocSection DELETE /admin/products/{productId}/doc-sections/{id} -
listProductDocs GET /admin/products/{productId}/docs - docs
createProductDoc POST /admin/products/{productId}/docs ib
getProductDoc GET /admin/products/{productId}/docs/{id} -
updateProductDoc PATCH /admin/products/{productId}/docs/{id} b
deleteProductDoc DELETE /admin/products/{productId}/docs/{id} -
listProductVersions GET /admin/products/{productId}/versions - versions
createProductVersion POST /admin/products/{productId}/versions ib
getProductVersion GET /admin/products/{productId}/versions/{id} -
updateProductVersion PATCH /admin/products/{productId}/versions/{id} b
deleteProductVersion DELETE /admin/products/{productId}/versions/{id} -
listProductDownloads GET /admin/products/{productId}/downloads - downloads
createProductDownload POST /admin/products/{productId}/downloads ib
getProductDownload GET /admin/products/{productId}/downloads/{id} -
updateProductDownload PATCH /admin/products/{productId}/downloads/{id} b
deleteProductDownload DELETE /admin/products/{productId}/downloads/{id} -
media:
upload=uploadMedia POST /admin/cms/media b
list=listMedia GET /admin/cms/media - media
get=getMedia GET /admin/cms/media/{mediaId} -
update=updateMedia PATCH /admin/cms/media/{mediaId} b
delete=deleteMedia DELETE /admin/cms/media/{mediaId} -
analytics:
getOverview=getAnalyticsOverview GET /admin/analytics/overview -
getProduct=getProductAnalytics GET /admin/analytics/products/{productId} -
getTimeseries=getAnalyticsTimeseries GET /admin/analytics/timeseries -
listEvents=listAnalyticsEvents GET /admin/analytics/events - events
getTenantUsage GET /admin/tenants/{tenantId}/usage -
tenants:
create=createTenant POST /admin/tenants ib
list=listTenants GET /admin/tenants - tenants
get=getTenant GET /admin/tenants/{tenantId} -
update=updateTenant PATCH /admin/tenants/{tenantId} b
delete=deleteTenant DELETE /admin/tenants/{tenantId} -
export=exportTenant GET /admin/tenants/{tenantId}/export -
erase=eraseTenant POST /admin/tenants/{tenantId}/erase b
apiKeys:
create=createApiKey POST /admin/tenants/{tenantId}/api-keys ib
list=listApiKeys GET /admin/tenants/{tenantId}/api-keys - apiKeys
get=getApiKey GET /admin/tenants/{tenantId}/api-keys/{keyId} -
revoke=revokeApiKey DELETE /admin/tenants/{tenantId}/api-keys/{keyId} -
rotate=rotateApiKey POST /admin/tenants/{tenantId}/api-keys/{keyId}/rotate ib
finishRotation=finishApiKeyRotation POST /admin/tenants/{tenantId}/api-keys/{keyId}/finish-rotation b
adminKeys:
create=createAdminKey POST /v1/platform/admin/keys ib
list=listAdminKeys GET /v1/platform/admin/keys - adminKeys
update=updateAdminKey PATCH /v1/platform/admin/keys/{keyId} b
revoke=revokeAdminKey DELETE /v1/platform/admin/keys/{keyId} -
get=getAdminKey GET /v1/platform/admin/keys/{keyId} -
rotate=rotateAdminKey POST /v1/platform/admin/keys/{keyId}/rotate ib
audit:
list=listAuditLogs GET /admin/audit-logs - auditLogs
verify=verifyAuditLog POST /v1/platform/admin/audit/verify b
users:
list=listUsers GET /admin/users - users
get=getUser GET /admin/users/{userId} -
update=updateUser PATCH /admin/users/{userId} b
remove=removeUser DELETE /admin/users/{userId} -
browserSessions:
list=listBrowserSessions GET /v1/platform/admin/sessions - sessions
end=endBrowserSession DELETE /v1/platform/admin/sessions/{sessionId} -
signInLinks:
create=createSignInLink POST /v1/platform/admin/sign-in-links ib
list=listSignInLinks GET /v1/platform/admin/sign-in-links - signInLinks
delete=deleteSignInLink DELETE /v1/platform/admin/sign-in-links/{linkId} -
licenses:
create=createLicense POST /vault/v1/licenses ib
list=listLicenses GET /vault/v1/licenses - licenses
update=updateLicense PATCH /vault/v1/licenses/{key} b
get=getLicense GET /vault/v1/licenses/{key} -
revoke=revokeLicense POST /vault/v1/licenses/{key}/revoke -
listUses=listLicenseUses GET /vault/v1/licenses/{key}/uses - uses
devices:
list=listTenantDevices GET /admin/tenants/{tenantId}/devices - devices
get=getTenantDevice GET /admin/tenants/{tenantId}/devices/{deviceId} -
revoke=revokeTenantDevice DELETE /admin/tenants/{tenantId}/devices/{deviceId} -
vpn:
listAllSessions GET /admin/vpn/sessions - sessions
endSession POST /admin/vpn/sessions/{sessionId}/end -
listSessions=listTenantSessions GET /admin/tenants/{tenantId}/vpn/sessions - sessions
listServers GET /admin/vpn/servers - servers
createServer POST /admin/vpn/servers ib
getServer GET /admin/vpn/servers/{serverId} -
updateServer PATCH /admin/vpn/servers/{serverId} b
deleteServer DELETE /admin/vpn/servers/{serverId} -
createEnrollmentToken POST /admin/vpn/servers/{serverId}/enrollment-token i
revokeNodeToken DELETE /admin/vpn/servers/{serverId}/node-token -
usage:
listPlanLimits GET /admin/usage/plans -
getPlanLimits GET /admin/usage/plans/{plan} -
updatePlanLimits PUT /admin/usage/plans/{plan} b
getTenantQuota GET /admin/tenants/{tenantId}/quotas/{meter} -
setTenantQuota PUT /admin/tenants/{tenantId}/quotas/{meter} ib
deleteTenantQuota DELETE /admin/tenants/{tenantId}/quotas/{meter} -
listTenantQuotas GET /admin/tenants/{tenantId}/quotas -
listTenants=listTenantsByUsage GET /admin/usage - window
recountTenant=recountTenantUsage POST /admin/tenants/{tenantId}/usage/recount i
getTenantRecount=getTenantUsageRecount GET /admin/tenants/{tenantId}/usage/recounts/{recountId} -
listUnsettledReservations GET /admin/usage/unsettled - reservations
organizations:
listOfTenant=listTenantOrgs GET /admin/tenants/{tenantId}/orgs - orgs
delete=deleteTenantOrg DELETE /admin/tenants/{tenantId}/orgs/{orgId} -
addMember=addTenantOrgMember POST /admin/tenants/{tenantId}/orgs/{orgId}/members ib
mails:
list=listMails GET /v1/platform/admin/mails - mails
retry=retryMail POST /v1/platform/admin/mails/{mailId}/retry -
email:
list=listTenantReceivedMails GET /admin/tenants/{tenantId}/email/messages - messages
get=getTenantReceivedMail GET /admin/tenants/{tenantId}/email/messages/{messageId} -
inbound:
listDraftedAnswers=listTenantDraftedAnswers GET /admin/tenants/{tenantId}/answers - answers
getDraftedAnswer=getTenantDraftedAnswer GET /admin/tenants/{tenantId}/answers/{answerId} -
createWebhookConnection=createTenantWebhookConnection POST /admin/tenants/{tenantId}/webhooks/connections ib
listWebhookConnections=listTenantWebhookConnections GET /admin/tenants/{tenantId}/webhooks/connections - connections
getWebhookConnection=getTenantWebhookConnection GET /admin/tenants/{tenantId}/webhooks/connections/{connectionId} -
updateWebhookConnection=updateTenantWebhookConnection PATCH /admin/tenants/{tenantId}/webhooks/connections/{connectionId} b
deleteWebhookConnection=deleteTenantWebhookConnection DELETE /admin/tenants/{tenantId}/webhooks/connections/{connectionId} -
pauseWebhookConnection=pauseTenantWebhookConnection POST /admin/tenants/{tenantId}/webhooks/connections/{connectionId}/pause -
resumeWebhookConnection=resumeTenantWebhookConnection POST /admin/tenants/{tenantId}/webhooks/connections/{connectionId}/resume -
rotateWebhookConnectionSecret=rotateTenantWebhookConnectionSecret POST /admin/tenants/{tenantId}/webhooks/connections/{connectionId}/rotate-secret ib
testWebhookConnection=testTenantWebhookConnection POST /admin/tenants/{tenantId}/webhooks/connections/{connectionId}/test -
listInboundDeliveries=listTenantInboundDeliveries GET /admin/tenants/{tenantId}/webhooks/deliveries - deliveries
getInboundDelivery=getTenantInboundDelivery GET /admin/tenants/{tenantId}/webhooks/deliveries/{deliveryId} -
replayInboundDelivery=replayTenantInboundDelivery POST /admin/tenants/{tenantId}/webhooks/deliveries/{deliveryId}/replay i
replayInboundDeliveries=replayTenantInboundDeliveries POST /admin/tenants/{tenantId}/webhooks/deliveries/replay ib
bots:
stopAllOfAllTenants=stopAllBotsOfAllTenants POST /admin/bot/stop-all b
setPauseOfAllTenants=setBotPauseOfAllTenants PUT /admin/bot/pause b
listSharedRunners=listSharedBotRunners GET /admin/bot/runners -
createSharedRunner=createSharedBotRunner POST /admin/bot/runners ib
getSharedRunner=getSharedBotRunner GET /admin/bot/runners/{runnerId} -
deleteSharedRunner=deleteSharedBotRunner DELETE /admin/bot/runners/{runnerId} -
createSharedRunnerEnrollmentToken=createSharedBotRunnerEnrollmentToken POST /admin/bot/runners/{runnerId}/enrollment-token i
integrations:
listPlatformApps=listPlatformIntegrationApps GET /admin/integrations/apps -
setPlatformApp=setPlatformIntegrationApp PUT /admin/integrations/apps/{provider} b
deletePlatformApp=deletePlatformIntegrationApp DELETE /admin/integrations/apps/{provider} -
webhooks:
listEndpoints=listTenantWebhookEndpoints GET /admin/tenants/{tenantId}/webhooks/endpoints - endpoints
createEndpoint=createTenantWebhookEndpoint POST /admin/tenants/{tenantId}/webhooks/endpoints ib
getEndpoint=getTenantWebhookEndpoint GET /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId} -
updateEndpoint=updateTenantWebhookEndpoint PATCH /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId} b
deleteEndpoint=deleteTenantWebhookEndpoint DELETE /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId} -
rotateEndpointSecret=rotateTenantWebhookEndpointSecret POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/rotate-secret i
enableEndpoint=enableTenantWebhookEndpoint POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/enable -
listDeliveries=listTenantWebhookDeliveries GET /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/deliveries - deliveries
testEndpoint=testTenantWebhookEndpoint POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/test ib
resendDelivery=resendTenantWebhookDelivery POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/deliveries/{messageId}/resend i
recoverEndpoint=recoverTenantWebhookEndpoint POST /admin/tenants/{tenantId}/webhooks/endpoints/{endpointId}/recover ib
`
