// Generated from openapi/api.json by `npm run generate`.

export const appTable = `
system /health
 health:GETo
/live healthLive:GETo
catalog /products
 listProducts:o
/{slug} getProduct:o
/{slug}/docs listDocs:o-
/{slug}/docs/{docSlug} getDoc:o
/{slug}/docs.md exportDocs:o
/{slug}/versions listVersions:o
/{slug}/downloads/{id} download:GETo
content:Public /cms
/pages list*Pages:o
/pages/{slug} get*Page:o
/homepage getHomepage:o
/blocks list*Blocks:o
/blocks/{key} get*Block:o
media:Media /media/{hash}/{name}
 get*File:o
auth /v1/auth
/register register:oib
/login login:ob
/refresh refresh:oib
/logout logout:b
/me getMe updateMe removeMe:b
/password changePassword:b
/password/forgot forgotPassword:ob
/password/reset resetPassword:ob
/verify-email verifyEmail:ob
/verify-email/resend resendVerification
/google signInWithGoogle:oib
/google/link linkGoogle:b unlinkGoogle:DELETEb
licenses:License /vault/v1/licenses/validate
 validate*:oib
devices:Device /vault/v1/devices
 register*:ib list*s
/{}/rotate rotate*Keys:ib
/{}/move move*:ib
/{} get* rename*:PATCHb revoke*
/{}/config get*Config
vpn /vault/v1/vpn
/connect connect:ib
/disconnect disconnect:b
/sessions listSessions
/sessions/{} getSession
/usage getUsage
/servers listOpenServers
usage:Usage /assistant/v1/usage
/limits list*Limits set*Limit delete*Limit
/thresholds get*Thresholds set*Thresholds
 getMeter*
/quotas listQuotas:-
organizations:Org /assistant/v1
/orgs list*s create*
/orgs/{} get* update* delete*
/orgs/{}/export export*
/orgs/{}/transfer transfer*:ib
/orgs/{}/members list*Members add*Member:ib
/orgs/{}/members/me updateOwn*Membership leave*:DELETE
/orgs/{}/members/{userId} update*Member remove*Member
/orgs/{}/invitations list*Invitations create*Invitation
/invitations listReceivedInvitations
/orgs/{}/invitations/{}/resend resend*Invitation:i
/orgs/{}/invitations/{} revoke*Invitation
/invitations/accept acceptInvitation:ib
/invitations/decline declineInvitation:b
email:Email /assistant/v1/email
/messages list=listReceivedMails
/config get*Config set*Config?orgId
/config/dkim create*DkimKey:i
/config/verify verify*Config
/config/verifications/{} get*Verification
/threads list*Threads
/threads/{} get*Thread
/messages/{} get*Message update*Draft
/messages/{}/raw getRaw*Message
/send send*:ib?orgId
/suppressions list*Suppressions create*Suppression?orgId
/suppressions/{} get*Suppression delete*Suppression
/messages/{}/discard discard*Draft
/messages/{}/trace get*Trace
/messages/{}/approve approve*Draft:b
/messages/{}/retry retry*Message
/simulate simulate*:b?orgId
/digest get*Digest set*Digest
meetings:Meeting /assistant/v1
/meetings create* list*s
/meetings/{} get* update* delete*
/meetings/{}/settings set*Settings
/meetings/{}/start start*
/meetings/{}/end end*
/meetings/{}/cancel cancel*
/meetings/{}/transcript appendTranscript:ib getTranscript
/meetings/{}/transcript/import importTranscript:ib?format
/meetings/{}/summary get*Summary
/personalities listPersonalities:-
inbound /assistant/v1
/answers listDraftedAnswers
/answers/{} getDraftedAnswer
/webhooks/connections createWebhookConnection listWebhookConnections
/webhooks/connections/{} getWebhookConnection updateWebhookConnection deleteWebhookConnection
/webhooks/connections/{}/pause pauseWebhookConnection
/webhooks/connections/{}/resume resumeWebhookConnection
/webhooks/connections/{}/rotate-secret rotateWebhookConnectionSecret:ib
/webhooks/connections/{}/test testWebhookConnection
/webhooks/deliveries listInboundDeliveries
/webhooks/deliveries/{deliveryId} getInboundDelivery
/webhooks/deliveries/{deliveryId}/replay replayInboundDelivery:i
/webhooks/deliveries/replay replayInboundDeliveries:ib
bots:Bot /assistant/v1
/bot/stop-all stopAll*s:b
/bot/pause get*Pause set*Pause
/bot/policies get*Policy set*Policy
/bot/vendors list*Vendors:-
/bot/vendors/{vendor} set*Vendor delete*Vendor
/bot/runners list*Runners:- create*Runner
/bot/runners/{} get*Runner delete*Runner
/bot/runners/{}/enrollment-token create*RunnerEnrollmentToken:i
/bot deploy*:ib list*s[bots]
/bot/{botId} get* update* delete*
/bot/{botId}/leave leave*
/bot/{botId}/message send*Message:ib
/bot/{botId}/consent answer*Consent:b
/bot/{botId}/artifacts/{name} get*Artifact
/bot-ingest/entries ingest*Entries:ob
tasks:OrgTask /assistant/v1
/orgs/{}/tasks list*s create*
/tasks listOwn=listOwnTasks
/orgs/{}/tasks/{} get* update* delete*
/orgs/{}/tasks/{}/move move*:b
/orgs/{}/tasks/bulk change*s:ib
/orgs/{}/tasks/{}/history list*History
/orgs/{}/tasks/{}/conflicts/{field} dismiss*Conflict:DELETE
/orgs/{}/tasks/{}/comments list*Comments create*Comment
/orgs/{}/tasks/{}/comments/{} update*Comment delete*Comment
/meetings/{}/tasks propose=proposeMeetingTasks
/orgs/{}/tasks/calendar createCalendar=createTaskCalendar:i deleteCalendar=deleteTaskCalendar
collections:Collection /assistant/v1/orgs/{}/collections
 list*s create*
/{} get* update* delete*
/{}/members/{userId} set*Member remove*Member
/{}/history list*History
documents:Document /assistant/v1/orgs/{}/documents
 list*s add*:ib
/{} get* update* delete*
/{}/retry retry*
/{}/versions list*Versions:- add*Version:ib
/{}/versions/{version}/restore restore*Version:i
/{}/content get*Content
search:Org /assistant/v1/orgs/{}
/search search*:GET
/ask ask*:b
/asks list*Asks
/asks/{} get*Ask delete*Ask
/asks/{}/feedback give*AskFeedback:b
integrations:Integration /assistant/v1/integrations
/providers list*Providers:-
/apps list*Apps:-
/apps/{provider} set*App delete*App
/{provider}/connect connect*:ib
/{}/confirm confirm*:b
/returns get*Returns set*Returns
/start/{ticket} start*:ob
/{}/actions create*Action
/actions list*Actions
/actions/{} get*Action
/actions/{}/retry retry*Action
/actions/{}/cancel cancel*Action
 list*s
/{} get* update* delete*
/{}/account choose*Account:b
/{}/test test*
/{}/refresh refresh*
/{}/token get*Token:POST
/{}/sync sync*
/{}/files listImportedFiles
webhooks:Webhook /v1/webhooks
/event-types list*EventTypes:o-
/endpoints list*Endpoints create*Endpoint
/endpoints/{} get*Endpoint update*Endpoint delete*Endpoint
/endpoints/{}/rotate-secret rotate*EndpointSecret:i
/endpoints/{}/enable enable*Endpoint
/endpoints/{}/deliveries list*Deliveries
/endpoints/{}/test test*Endpoint:ib
/endpoints/{}/deliveries/{messageId}/resend resend*Delivery:i
/endpoints/{}/recover recover*Endpoint:ib
`
