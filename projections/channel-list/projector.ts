import type { AccountEvent } from '../../domain/account/events.ts';
import type { ChannelEvent, ChannelSettings } from '../../domain/channel/events.ts';
import { projector } from '../runtime/projector.ts';
import { secondsOf } from '../shared/time.ts';
import { channelListTables } from './table.ts';

const operatorsSettings = (settings: ChannelSettings) => ({
  type: settings.type,
  name: settings.name,
  models: settings.models.join(','),
  group: settings.groups.join(','),
  base_url: settings.baseUrl,
  other: settings.other,
  openai_organization: settings.organization,
  test_model: settings.testModel,
  tag: settings.tag,
  model_mapping: settings.modelMapping,
  status_code_mapping: settings.statusCodeMapping,
  setting: settings.setting,
  param_override: settings.paramOverride,
  priority: settings.priority,
  weight: settings.weight,
  auto_ban: settings.autoBan,
  max_input_tokens: settings.maxInputTokens ?? 0,
  cost_ratio: settings.costRatio ?? '',
});
const noReason = { status_reason: '', status_time: 0 } as const;

/** Answers: which channels are there, how are they, and what went through each? */
export const channelListProjector = projector<ChannelEvent | AccountEvent>()({
  name: 'channel-list',
  version: 1,
  tables: channelListTables,
  on: {
    ChannelCreated: ({ channels }, recorded) => {
      const { channelId, settings, status } = recorded.event.data;
      channels.put({
        id: channelId,
        status,
        balance: 0,
        balance_updated_time: 0,
        used_quota: 0,
        response_time: 0,
        test_time: 0,
        created_time: secondsOf(recorded),
        ...noReason,
        ...operatorsSettings(settings),
      });
    },
    ChannelChanged: ({ channels }, { event: { data } }) =>
      channels.patch(data.channelId, operatorsSettings(data.settings)),
    ChannelKeyReplaced: 'ignored',
    ChannelEnabled: ({ channels }, { event: { data } }) =>
      channels.patch(data.channelId, { status: 1, ...noReason }),
    ChannelDisabled: ({ channels }, { event: { data } }) =>
      channels.patch(data.channelId, { status: 2, ...noReason }),
    ChannelAutoDisabled: ({ channels }, recorded) =>
      channels.patch(recorded.event.data.channelId, {
        status: 3,
        status_reason: recorded.event.data.reason,
        status_time: secondsOf(recorded),
      }),
    ChannelAutoEnabled: ({ channels }, { event: { data } }) =>
      channels.patch(data.channelId, { status: 1, ...noReason }),
    ChannelTested: ({ channels }, recorded) =>
      channels.patch(recorded.event.data.channelId, {
        response_time: Math.round(recorded.event.data.responseTimeMs),
        test_time: secondsOf(recorded),
      }),
    ChannelBalanceRead: ({ channels }, recorded) =>
      channels.patch(recorded.event.data.channelId, {
        balance: Number(recorded.event.data.balance),
        balance_updated_time: secondsOf(recorded),
      }),
    ChannelTagged: ({ channels }, { event: { data } }) =>
      channels.patch(data.channelId, { tag: data.tag }),
    ChannelDeleted: ({ channels }, { event: { data } }) => channels.remove(data.channelId),

    AccountOpened: 'ignored',
    QuotaGranted: 'ignored',
    QuotaAdjusted: 'ignored',
    QuotaLeased: 'ignored',
    LeaseReturned: 'ignored',
    LeaseExpired: 'ignored',
    RequestCharged: ({ channels }, { event: { data } }) =>
      channels.add(data.call.channelId, { used_quota: data.amount }),
    // The refund names no channel; what went through it stays.
    RequestRefunded: 'ignored',
    RequestAbandoned: 'ignored',
    TokenBudgetSet: 'ignored',
    UsageNumberSkipped: 'ignored',
    ProducerClosed: 'ignored',
    TokenBudgetClosed: 'ignored',
    ReferralRewarded: 'ignored',
    ReferralRewardTransferred: 'ignored',
    CorrectionPosted: 'ignored',
  },
});
