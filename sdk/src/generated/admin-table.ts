// Generated from openapi/api.json by `npm run generate`.

export const adminTable = `
system 
/v1/platform/admin/overview getPlatformOverview
/v1/platform/admin/search searchPlatform:b
/v1/platform/admin/settings getSettings
/v1/platform/admin/snapshots createSnapshot:b
/admin/access-check checkAccess:b
jobs:Jobs /v1/platform/admin/jobs
 list*
/{}/retry retry=retryJob:i
/retry retryAll=retryJobs:ib
content /admin/cms
/bundle exportBundle importBundle:b?dryRun,mode
/pages createPage listPages
/pages/{} getPage savePage:PUTb?draft patchPage:PATCHb?draft deletePage
/pages/{}/publish publishPage:b
/pages/{}/unpublish unpublishPage:b
/pages/{}/archive archivePage:b
/pages/{}/draft discardPageDraft:DELETE
/pages/{}/preview-link createPagePreviewLink:b
/pages/{}/revisions listPageRevisions
/pages/{}/revisions/{number} getPageRevision
/pages/{}/revisions/{number}/diff diffPageRevision:GET
/pages/{}/revisions/{number}/restore restorePageRevision:b?draft
/slots listSlots createSlot
/slots/{} getSlot updateSlot deleteSlot
/slots/order orderSlots:b
/blocks listBlocks createBlock
/blocks/{} getBlock updateBlock deleteBlock
/blocks/by-key/{key} putBlock:PUTb?locale
catalog /admin/products
 listAllProducts createProduct
/{} getProductById updateProduct deleteProduct
/{}/preview-link createProductPreviewLink:b
/{}/features listProductFeatures createProductFeature
/{}/features/{id} getProductFeature updateProductFeature deleteProductFeature
/{}/plans listProductPlans createProductPlan
/{}/plans/{id} getProductPlan updateProductPlan deleteProductPlan
/{}/media listProductMedia createProductMedia
/{}/media/{id} getProductMedia updateProductMedia deleteProductMedia
/{}/doc-sections listDocSections[docSections] createDocSection
/{}/doc-sections/{id} getDocSection updateDocSection deleteDocSection
/{}/docs listProductDocs createProductDoc
/{}/docs/{id} getProductDoc updateProductDoc deleteProductDoc
/{}/versions listProductVersions createProductVersion
/{}/versions/{id} getProductVersion updateProductVersion deleteProductVersion
/{}/downloads listProductDownloads createProductDownload
/{}/downloads/{id} getProductDownload updateProductDownload deleteProductDownload
media:Media /admin/cms/media
 upload*:b list*
/{mediaId} get* update* delete*
analytics:Analytics /admin
/analytics/overview get*Overview
/analytics/products/{} getProduct*
/analytics/timeseries get*Timeseries
/analytics/events list*Events
/tenants/{}/usage getTenantUsage
tenants:Tenant /admin/tenants
 create* list*s
/{} get* update* delete*
/{}/export export*
/{}/erase erase*:b
apiKeys:ApiKey /admin/tenants/{}/api-keys
 create* list*s[apiKeys]
/{} get* revoke*
/{}/rotate rotate*:ib
/{}/finish-rotation finish*Rotation:b
adminKeys:AdminKey /v1/platform/admin/keys
 create* list*s[adminKeys]
/{} update* revoke* get*
/{}/rotate rotate*:ib
audit:AuditLogs 
/admin/audit-logs list*[auditLogs]
/v1/platform/admin/audit/verify verify=verifyAuditLog:b
users:User /admin/users
 list*s
/{} get* update* remove*
browserSessions:BrowserSessions /v1/platform/admin/sessions
 list*
/{} end=endBrowserSession:DELETE
signInLinks:SignInLink /v1/platform/admin/sign-in-links
 create* list*s[signInLinks]
/{} delete*
licenses:License /vault/v1/licenses
 create* list*s
/{key} update* get*
/{key}/revoke revoke*:POST
/{key}/uses list*Uses
devices:TenantDevice /admin/tenants/{}/devices
 list*s
/{} get* revoke*
vpn:Tenant /admin
/vpn/sessions listAllSessions
/vpn/sessions/{}/end endSession
/tenants/{}/vpn/sessions list*Sessions
/vpn/servers listServers createServer
/vpn/servers/{} getServer updateServer deleteServer
/vpn/servers/{}/enrollment-token createEnrollmentToken:i
/vpn/servers/{}/node-token revokeNodeToken
usage:Usage /admin
/usage/plans listPlanLimits:-
/usage/plans/{plan} getPlanLimits updatePlanLimits:PUT
/tenants/{}/quotas/{meter} getTenantQuota setTenantQuota:ib deleteTenantQuota
/tenants/{}/quotas listTenantQuotas:-
/usage listTenants=listTenantsByUsage[window]
/tenants/{}/usage/recount recountTenant*:i
/tenants/{}/usage/recounts/{} getTenant*Recount
/usage/unsettled listUnsettledReservations[reservations]
organizations:TenantOrg /admin/tenants/{}/orgs
 listOfTenant=listTenantOrgs
/{} delete*
/{}/members add*Member:ib
mails:Mails /v1/platform/admin/mails
 list*
/{}/retry retry=retryMail
email:TenantReceivedMails /admin/tenants/{}/email/messages
 list*
/{} get=getTenantReceivedMail
inbound:Tenant /admin/tenants/{}
/answers list*DraftedAnswers
/answers/{} get*DraftedAnswer
/webhooks/connections create*WebhookConnection list*WebhookConnections
/webhooks/connections/{} get*WebhookConnection update*WebhookConnection delete*WebhookConnection
/webhooks/connections/{}/pause pause*WebhookConnection
/webhooks/connections/{}/resume resume*WebhookConnection
/webhooks/connections/{}/rotate-secret rotate*WebhookConnectionSecret:ib
/webhooks/connections/{}/test test*WebhookConnection
/webhooks/deliveries list*InboundDeliveries
/webhooks/deliveries/{deliveryId} get*InboundDelivery
/webhooks/deliveries/{deliveryId}/replay replay*InboundDelivery:i
/webhooks/deliveries/replay replay*InboundDeliveries:ib
bots:Bot /admin/bot
/stop-all stopAll*sOfAllTenants:b
/pause set*PauseOfAllTenants
/runners listShared*Runners:- createShared*Runner
/runners/{} getShared*Runner deleteShared*Runner
/runners/{}/enrollment-token createShared*RunnerEnrollmentToken:i
integrations:Integration /admin/integrations/apps
 listPlatform*Apps:-
/{provider} setPlatform*App deletePlatform*App
webhooks:TenantWebhook /admin/tenants/{}/webhooks/endpoints
 list*Endpoints create*Endpoint
/{} get*Endpoint update*Endpoint delete*Endpoint
/{}/rotate-secret rotate*EndpointSecret:i
/{}/enable enable*Endpoint
/{}/deliveries list*Deliveries
/{}/test test*Endpoint:ib
/{}/deliveries/{messageId}/resend resend*Delivery:i
/{}/recover recover*Endpoint:ib
`
