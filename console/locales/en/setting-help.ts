import type { English } from '../english.ts';
import type { settingHelp as zh } from '../zh/setting-help.ts';

export const settingHelp: English<typeof zh> = {
  'help.TopUpLink': 'Where the wallet sends people who want to buy a redemption code.',
  'help.QuotaPerUnit': 'Every balance and price is converted to dollars by this number.',
  'help.BatchRatio':
    'Files and batches cost this part of single calls. A channel may have its own: batch_ratio in its settings.',
  'help.RetryTimes': 'How often another channel is tried after a failure; 0 for never.',
  'help.DisplayInCurrencyEnabled': 'When off, amounts are shown in quota units.',
  'help.SelfUseModeEnabled':
    'Models without a price can be called, and the sign-up link is hidden.',
  'help.QuotaForNewUser': 'Quota units, granted at registration.',
  'help.PreConsumedQuota':
    'Reserved for a call that names no output limit; the call is settled by its real usage.',
  'help.QuotaForInviter': 'Quota units.',
  'help.QuotaForInvitee': 'Quota units.',
  'help.GroupRatio': 'What a call costs is multiplied by the ratio of its group.',
  'help.UserUsableGroups': 'Groups offered when a key is created, with their descriptions.',
  'help.ModelPrice': 'With a price, each call costs this much, whatever its ratios.',
  'help.ModelRatio': 'Ratio 1 is 2 USD per million input tokens.',
  'help.CacheRatio': 'What a cached input token costs, compared with an uncached one.',
  'help.CompletionRatio':
    'What an output token costs compared with an input token; for custom models only.',
  'help.AudioRatio': 'What an audio token costs compared with a text token.',
  'help.AudioCompletionRatio':
    'What an audio output token costs compared with an audio input token.',
  'help.ImageRatio': 'What an image token costs compared with a text token.',
  'help.ChannelDisableThreshold':
    'Slower channels are disabled when all are tested; 0 for no limit.',
  'help.QuotaRemindThreshold': 'Quota units; used where the user has set no threshold.',
  'help.AutomaticDisableKeywords':
    'A channel is disabled when a provider error contains one of these lines, in any case.',
  'help.MjForwardUrlEnabled': 'Images are served from the address of this site.',
  'help.LogConsumeEnabled':
    'When off, the log and the dashboard record no calls; balances and the ledger are not affected.',
  'help.ModelRequestRateLimitCount': 'Failed requests count too.',
  'help.ModelRequestRateLimitSuccessCount': 'Only successful requests count.',
  'help.ModelRequestRateLimitGroup': 'Takes precedence over the limits above, in the same period.',
  'help.global.pass_through_request_enabled':
    'Requests reach the provider unchanged; model mapping does not apply.',
  'help.general_setting.ping_interval_enabled':
    'Sends keep-alive data while a provider is slow; once sent, the call cannot be retried.',
  'help.gemini.thinking_adapter_budget_tokens_percentage':
    'From 0.1 to 1; anything above 24576 tokens is ignored.',
  'help.gemini.thinking_adapter_enabled': 'Models named with -thinking or -nothinking.',
  'help.claude.thinking_adapter_enabled': 'Models named with -thinking.',
  'help.claude.thinking_adapter_budget_tokens_percentage':
    'From 0.1 to 1; the thinking budget is max_tokens times this.',
  'help.gemini.safety_settings': '“default” applies to categories that are not listed.',
  'help.gemini.version_settings': '“default” applies to models that are not listed.',
  'help.claude.default_max_tokens':
    'Used when a request names no max_tokens; “default” applies to models that are not listed.',
  'help.claude.model_headers_settings': 'Added to requests for the model.',
  'help.ServerAddress': 'How people reach this site; used in mails, sign-in and payment callbacks.',
  'help.WorkerUrl': 'A service that downloads files and sends webhooks for this site.',
  'help.EmailAliasRestrictionEnabled': 'Refuses addresses with a plus sign or extra dots.',
  'help.SMTPFrom': 'Left empty, the account is used.',
  'help.CustomCallbackAddress': 'Left empty, the address of this site is used.',
  'help.TopupGroupRatio': 'What a top-up costs is multiplied by the ratio of the group.',
  'help.HomePageContent': 'Markdown or HTML; a web address shows that page instead.',
  'help.About': 'Markdown or HTML; a web address shows that page instead.',
  'help.Footer': 'HTML; left empty, the standard footer is shown.',
  'help.Notice': 'Markdown or HTML.',
};
