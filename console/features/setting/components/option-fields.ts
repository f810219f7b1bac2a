/** How an option is edited. A secret is never shown; empty leaves it as it is. */
type FieldKind =
  | 'switch'
  | 'text'
  | 'number'
  | 'area'
  | 'json'
  | 'secret'
  | 'choice'
  | 'chats'
  | 'domains';
type Field = readonly [key: string, kind: FieldKind];
type Card = Readonly<{ id: string; fields: readonly Field[] }>;

/** Every option that has a control, by tab and card, in reading order. */
export const settingTabs = {
  operation: [
    {
      id: 'general',
      fields: [
        ['TopUpLink', 'text'],
        ['general_setting.docs_link', 'text'],
        ['QuotaPerUnit', 'number'],
        ['RetryTimes', 'number'],
        ['DisplayInCurrencyEnabled', 'switch'],
        ['DisplayTokenStatEnabled', 'switch'],
        ['DefaultCollapseSidebar', 'switch'],
        ['DemoSiteEnabled', 'switch'],
        ['SelfUseModeEnabled', 'switch'],
      ],
    },
    {
      id: 'quota',
      fields: [
        ['QuotaForNewUser', 'number'],
        ['PreConsumedQuota', 'number'],
        ['QuotaForInviter', 'number'],
        ['QuotaForInvitee', 'number'],
      ],
    },
    {
      id: 'groups',
      fields: [
        ['GroupRatio', 'json'],
        ['UserUsableGroups', 'json'],
      ],
    },
    {
      id: 'prices',
      fields: [
        ['ModelPrice', 'json'],
        ['ModelRatio', 'json'],
        ['CacheRatio', 'json'],
        ['CompletionRatio', 'json'],
        ['AudioRatio', 'json'],
        ['AudioCompletionRatio', 'json'],
        ['ImageRatio', 'json'],
        ['ToolPrice', 'json'],
        ['BatchRatio', 'number'],
      ],
    },
    {
      id: 'monitor',
      fields: [
        ['ChannelDisableThreshold', 'number'],
        ['QuotaRemindThreshold', 'number'],
        ['AutomaticDisableChannelEnabled', 'switch'],
        ['AutomaticEnableChannelEnabled', 'switch'],
        ['AutomaticDisableKeywords', 'area'],
      ],
    },
    {
      id: 'sensitive',
      fields: [
        ['CheckSensitiveEnabled', 'switch'],
        ['CheckSensitiveOnPromptEnabled', 'switch'],
        ['CheckSensitiveOnCompletionEnabled', 'switch'],
        ['StopOnSensitiveEnabled', 'switch'],
        ['StreamCacheQueueLength', 'number'],
        ['SensitiveWords', 'area'],
      ],
    },
    {
      id: 'drawing',
      fields: [
        ['DrawingEnabled', 'switch'],
        ['TaskEnabled', 'switch'],
        ['MjNotifyEnabled', 'switch'],
        ['MjAccountFilterEnabled', 'switch'],
        ['MjForwardUrlEnabled', 'switch'],
        ['MjModeClearEnabled', 'switch'],
        ['MjActionCheckSuccessEnabled', 'switch'],
      ],
    },
    {
      id: 'log',
      fields: [['LogConsumeEnabled', 'switch']],
    },
    {
      id: 'dashboard',
      fields: [
        ['DataExportEnabled', 'switch'],
        ['DataExportInterval', 'number'],
        ['DataExportDefaultTime', 'choice'],
      ],
    },
    {
      id: 'chats',
      fields: [['Chats', 'chats']],
    },
  ],
  ratelimit: [
    {
      id: 'rate',
      fields: [
        ['ModelRequestRateLimitEnabled', 'switch'],
        ['ModelRequestRateLimitDurationMinutes', 'number'],
        ['ModelRequestRateLimitCount', 'number'],
        ['ModelRequestRateLimitSuccessCount', 'number'],
        ['ModelRequestRateLimitGroup', 'json'],
      ],
    },
    {
      id: 'call-limits',
      fields: [
        ['call_limits.users', 'json'],
        ['call_limits.groups', 'json'],
        ['call_limits.models', 'json'],
        ['open_calls.input_tokens', 'json'],
        ['open_calls.output_tokens', 'json'],
        ['open_calls.floor', 'number'],
      ],
    },
  ],
  models: [
    {
      id: 'global',
      fields: [
        ['global.pass_through_request_enabled', 'switch'],
        ['responses.keep_hours', 'number'],
        ['batches.max_file_mb', 'number'],
        ['general_setting.ping_interval_enabled', 'switch'],
        ['general_setting.ping_interval_seconds', 'number'],
        ['general_setting.drain_after_disconnect', 'switch'],
      ],
    },
    {
      id: 'gemini',
      fields: [
        ['gemini.safety_settings', 'json'],
        ['gemini.version_settings', 'json'],
        ['gemini.supported_imagine_models', 'json'],
        ['gemini.thinking_adapter_enabled', 'switch'],
        ['gemini.thinking_adapter_budget_tokens_percentage', 'number'],
      ],
    },
    {
      id: 'claude',
      fields: [
        ['claude.model_headers_settings', 'json'],
        ['claude.default_max_tokens', 'json'],
        ['claude.thinking_adapter_enabled', 'switch'],
        ['claude.thinking_adapter_budget_tokens_percentage', 'number'],
      ],
    },
  ],
  system: [
    {
      id: 'server',
      fields: [
        ['ServerAddress', 'text'],
        ['WorkerUrl', 'text'],
        ['WorkerValidKey', 'secret'],
      ],
    },
    {
      id: 'login',
      fields: [
        ['PasswordLoginEnabled', 'switch'],
        ['PasswordRegisterEnabled', 'switch'],
        ['RegisterEnabled', 'switch'],
        ['EmailVerificationEnabled', 'switch'],
        ['GitHubOAuthEnabled', 'switch'],
        ['LinuxDOOAuthEnabled', 'switch'],
        ['WeChatAuthEnabled', 'switch'],
        ['TelegramOAuthEnabled', 'switch'],
        ['oidc.enabled', 'switch'],
        ['TurnstileCheckEnabled', 'switch'],
        ['SecondFactorRequiredOfAdmins', 'switch'],
      ],
    },
    {
      id: 'domains',
      fields: [
        ['EmailDomainRestrictionEnabled', 'switch'],
        ['EmailAliasRestrictionEnabled', 'switch'],
        ['EmailDomainWhitelist', 'domains'],
      ],
    },
    {
      id: 'smtp',
      fields: [
        ['SMTPServer', 'text'],
        ['SMTPPort', 'number'],
        ['SMTPAccount', 'text'],
        ['SMTPFrom', 'text'],
        ['SMTPToken', 'secret'],
        ['SMTPSSLEnabled', 'switch'],
      ],
    },
    {
      id: 'payment',
      fields: [
        ['PayAddress', 'text'],
        ['EpayId', 'text'],
        ['EpayKey', 'secret'],
        ['CustomCallbackAddress', 'text'],
        ['Price', 'number'],
        ['MinTopUp', 'number'],
        ['TopupGroupRatio', 'json'],
        ['LantuApiUrl', 'text'],
        ['LantuMchId', 'text'],
        ['LantuSecretKey', 'secret'],
        ['LemonApiKey', 'secret'],
        ['LemonStoreId', 'text'],
        ['LemonVariantId', 'text'],
        ['LemonWebhookSecret', 'secret'],
      ],
    },
    {
      id: 'oidc',
      fields: [
        ['oidc.well_known', 'text'],
        ['oidc.client_id', 'text'],
        ['oidc.client_secret', 'secret'],
        ['oidc.authorization_endpoint', 'text'],
        ['oidc.token_endpoint', 'text'],
        ['oidc.user_info_endpoint', 'text'],
      ],
    },
    {
      id: 'github',
      fields: [
        ['GitHubClientId', 'text'],
        ['GitHubClientSecret', 'secret'],
      ],
    },
    {
      id: 'linuxdo',
      fields: [
        ['LinuxDOClientId', 'text'],
        ['LinuxDOClientSecret', 'secret'],
      ],
    },
    {
      id: 'wechat',
      fields: [
        ['WeChatServerAddress', 'text'],
        ['WeChatServerToken', 'secret'],
        ['WeChatAccountQRCodeImageURL', 'text'],
      ],
    },
    {
      id: 'telegram',
      fields: [
        ['TelegramBotToken', 'secret'],
        ['TelegramBotName', 'text'],
      ],
    },
    {
      id: 'turnstile',
      fields: [
        ['TurnstileSiteKey', 'text'],
        ['TurnstileSecretKey', 'secret'],
      ],
    },
  ],
  other: [
    { id: 'version', fields: [['general_setting.releases_url', 'text']] },
    { id: 'notice', fields: [['Notice', 'area']] },
    { id: 'name', fields: [['SystemName', 'text']] },
    { id: 'logo', fields: [['Logo', 'text']] },
    { id: 'home', fields: [['HomePageContent', 'area']] },
    { id: 'about', fields: [['About', 'area']] },
    { id: 'footer', fields: [['Footer', 'area']] },
  ],
} as const satisfies Readonly<Record<string, readonly Card[]>>;

export type SettingTab = keyof typeof settingTabs;
export type SettingCard = (typeof settingTabs)[SettingTab][number];
export type SettingField = SettingCard['fields'][number];
export type OptionKey = SettingField[0];

export const tabNames = Object.keys(settingTabs) as readonly SettingTab[];
export const isTab = (text: string): text is SettingTab => tabNames.some((tab) => tab === text);
