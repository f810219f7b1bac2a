import type { KnownChannel } from './directory.ts';

const statusOnWire = { enabled: 1, disabled: 2, 'auto-disabled': 3, deleted: 2 } as const;

/** The channel as it was set. Never its key; counters and balances come from the read side. */
export const channelRecord = ({ channelId, status, settings }: KnownChannel) => ({
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
});
