/**
 * Every option with the least role that may write it, and a value that differs from its default.
 * Listed manually, so that a change of who may write what shows here. `*`: a secret.
 */
const table = `
PasswordLoginEnabled                                100  false
PasswordRegisterEnabled                             100  false
RegisterEnabled                                     100  false
EmailVerificationEnabled                            100  true
EmailDomainRestrictionEnabled                       100  true
EmailAliasRestrictionEnabled                        100  true
EmailDomainWhitelist                                100  example.com
GitHubClientId                                      100  Iv1.github
GitHubClientSecret*                                 100  github-secret
GitHubOAuthEnabled                                  100  true
LinuxDOClientId                                     100  linuxdo
LinuxDOClientSecret*                                100  linuxdo-secret
LinuxDOOAuthEnabled                                 100  true
TelegramBotName                                     100  gate_bot
TelegramBotToken*                                   100  telegram-secret
TelegramOAuthEnabled                                100  true
WeChatServerAddress                                 100  https://wechat.example
WeChatServerToken*                                  100  wechat-secret
WeChatAccountQRCodeImageURL                         100  https://wechat.example/qr.png
WeChatAuthEnabled                                   100  true
oidc.client_id                                      100  oidc
oidc.client_secret*                                 100  oidc-secret
oidc.well_known                                     100  https://id.example/.well-known/openid-configuration
oidc.authorization_endpoint                         100  https://id.example/authorize
oidc.token_endpoint                                 100  https://id.example/token
oidc.user_info_endpoint                             100  https://id.example/userinfo
oidc.enabled                                        100  true
TurnstileSiteKey                                    100  site-key
TurnstileSecretKey*                                 100  turnstile-secret
TurnstileCheckEnabled                               100  true
SMTPServer                                          100  smtp.example.com
SMTPPort                                            100  465
SMTPAccount                                         100  desk@example.com
SMTPFrom                                            100  noreply@example.com
SMTPToken*                                          100  smtp-secret
SMTPSSLEnabled                                      100  true
ServerAddress                                       100  http://gate.example
WorkerUrl                                           100  https://worker.example
WorkerValidKey*                                     100  worker-secret
TopUpLink                                           100  https://shop.example
Chats                                               100  [{"Mine":"https://chat.example/?key={key}"}]
Price                                               100  8
MinTopUp                                            100  2
TopupGroupRatio                                     100  {"default":2}
PayAddress                                          100  https://pay.example
EpayId                                              100  1001
EpayKey*                                            100  epay-secret
CustomCallbackAddress                               100  https://callback.example
LantuApiUrl                                         100  https://lantu.example
LantuMchId                                          100  2002
LantuSecretKey*                                     100  lantu-secret
LemonApiKey*                                        100  lemon-secret
LemonStoreId                                        100  3003
LemonVariantId                                      100  4004
LemonWebhookSecret*                                 100  lemon-hook-secret
SystemName                                          10   Ours
Logo                                                10   /ours.png
Footer                                              10   foot
Notice                                              10   note
About                                               10   about
HomePageContent                                     10   home
general_setting.docs_link                           10   https://docs.example
general_setting.releases_url                        10   https://releases.example
DefaultCollapseSidebar                              10   true
DisplayInCurrencyEnabled                            10   false
DisplayTokenStatEnabled                             10   false
LogConsumeEnabled                                   10   false
DataExportEnabled                                   10   false
DataExportInterval                                  10   6
DataExportDefaultTime                               10   day
DrawingEnabled                                      10   false
TaskEnabled                                         10   false
DemoSiteEnabled                                     10   true
SelfUseModeEnabled                                  10   true
QuotaPerUnit                                        10   600000
QuotaForNewUser                                     10   1
QuotaForInviter                                     10   1
QuotaForInvitee                                     10   1
QuotaRemindThreshold                                10   2000
PreConsumedQuota                                    10   600
ModelPrice                                          10   {"m":1}
ModelRatio                                          10   {"m":1}
CompletionRatio                                     10   {"m":1}
CacheRatio                                          10   {"m":1}
AudioRatio                                          10   {"m":1}
AudioCompletionRatio                                10   {"m":1}
ImageRatio                                          10   {"m":1}
ToolPrice                                           10   {"m":1}
BatchRatio                                          10   0.4
GroupRatio                                          10   {"default":2}
UserUsableGroups                                    10   {"default":"all"}
AutomaticDisableChannelEnabled                      10   true
AutomaticEnableChannelEnabled                       10   true
ChannelDisableThreshold                             10   6
AutomaticDisableKeywords                            10   no credit
RetryTimes                                          10   1
StreamCacheQueueLength                              10   1
CheckSensitiveEnabled                               10   false
CheckSensitiveOnPromptEnabled                       10   false
CheckSensitiveOnCompletionEnabled                   10   true
StopOnSensitiveEnabled                              10   false
SensitiveWords                                      10   word
ModelRequestRateLimitEnabled                        10   true
ModelRequestRateLimitCount                          10   5
ModelRequestRateLimitSuccessCount                   10   5
ModelRequestRateLimitDurationMinutes                10   2
ModelRequestRateLimitGroup                          10   {"vip":[1,1]}
call_limits.users                                   10   {"*":{"requests_per_minute":1}}
call_limits.groups                                  10   {"vip":{"tokens_per_minute":1}}
call_limits.models                                  10   {"m":{"concurrent_requests":1}}
open_calls.input_tokens                             10   {"m":1000}
open_calls.output_tokens                            10   {"m":1000}
open_calls.floor                                    10   0.2
MjNotifyEnabled                                     10   true
MjAccountFilterEnabled                              10   true
MjModeClearEnabled                                  10   true
MjForwardUrlEnabled                                 10   false
MjActionCheckSuccessEnabled                         10   false
gemini.safety_settings                              10   {"default":"BLOCK_NONE"}
gemini.version_settings                             10   {"default":"v1"}
gemini.supported_imagine_models                     10   ["m"]
gemini.thinking_adapter_enabled                     10   true
gemini.thinking_adapter_budget_tokens_percentage    10   0.5
claude.model_headers_settings                       10   {"m":{"h":"v"}}
claude.default_max_tokens                           10   {"default":4096}
claude.thinking_adapter_enabled                     10   false
claude.thinking_adapter_budget_tokens_percentage    10   0.5
global.pass_through_request_enabled                 10   true
batches.max_file_mb                                 10   20
responses.keep_hours                                10   1
general_setting.ping_interval_enabled               10   true
general_setting.ping_interval_seconds               10   30
general_setting.drain_after_disconnect              10   false
FileUploadPermission                                10   1
FileDownloadPermission                              10   1
ImageUploadPermission                               10   1
ImageDownloadPermission                             10   1
SecondFactorRequiredOfAdmins                        100  true
`;

export type OptionCase = Readonly<{
  key: string;
  writer: 10 | 100;
  value: string;
  isSecret: boolean;
}>;

export const optionCases: readonly OptionCase[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [, key = '', mark, role, value = ''] = /^(\S+?)(\*?)\s+(10|100)\s+(.+)$/.exec(line) ?? [];
    return { key, writer: role === '100' ? 100 : 10, value, isSecret: mark === '*' };
  });
