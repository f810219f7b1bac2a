import type { ChannelFigures } from '../../domain/channel/messages.ts';
import type { ChannelRecord } from '../contract/channel.ts';
import type { KnownChannel } from './directory.ts';

const statusOnWire = { enabled: 1, disabled: 2, 'auto-disabled': 3, deleted: 2 } as const;

const figuresRecord = (figures: ChannelFigures) => ({
  balance: figures.balance,
  balance_updated_time: figures.balanceUpdatedTime,
  used_quota: figures.usedQuota,
  response_time: figures.responseTimeMs,
  test_time: figures.testTime,
  created_time: figures.createdTime,
  other_info: figures.otherInfo,
});

/** The channel as it was set, and its counters when the read side answered. Never its key. */
export const channelRecord = (
  { channelId, status, settings }: KnownChannel,
  figures: ChannelFigures | null,
): ChannelRecord => ({
  id: channelId,
  type: settings.type,
  key: '',
  name: settings.name,
  status: statusOnWire[status],
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
  auto_ban: settings.autoBan ? 1 : 0,
  max_input_tokens: settings.maxInputTokens ?? 0,
  cost_ratio: settings.costRatio ?? '',
  ...(figures === null ? {} : figuresRecord(figures)),
});
