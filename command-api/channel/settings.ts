import type { ChannelSettings } from '../../domain/channel/events.ts';

type Maybe<T> = T | null | undefined;

/** Settings as forms send them; what is absent or null stays as it was. */
export type WireSettings = Readonly<{
  type?: Maybe<number>;
  name?: Maybe<string>;
  models?: Maybe<string>;
  group?: Maybe<string>;
  base_url?: Maybe<string>;
  other?: Maybe<string>;
  openai_organization?: Maybe<string>;
  test_model?: Maybe<string>;
  tag?: Maybe<string>;
  model_mapping?: Maybe<string>;
  status_code_mapping?: Maybe<string>;
  setting?: Maybe<string>;
  param_override?: Maybe<string>;
  priority?: Maybe<number>;
  weight?: Maybe<number>;
  auto_ban?: Maybe<0 | 1>;
  max_input_tokens?: Maybe<number>;
  cost_ratio?: Maybe<string>;
}>;

export const newChannelSettings: ChannelSettings = {
  type: 1,
  name: '',
  models: [],
  groups: ['default'],
  baseUrl: '',
  other: '',
  organization: '',
  testModel: '',
  tag: '',
  modelMapping: '',
  statusCodeMapping: '',
  setting: '',
  paramOverride: '',
  priority: 0,
  weight: 0,
  autoBan: true,
};

const listOf = (text: Maybe<string>): readonly string[] | null =>
  text ? text.split(',').map((entry) => entry.trim()) : null;

/** Texts that may be emptied. */
const withTexts = (base: ChannelSettings, wire: WireSettings): ChannelSettings => ({
  ...base,
  baseUrl: wire.base_url ?? base.baseUrl,
  other: wire.other ?? base.other,
  organization: wire.openai_organization ?? base.organization,
  testModel: wire.test_model ?? base.testModel,
  tag: wire.tag ?? base.tag,
  modelMapping: wire.model_mapping ?? base.modelMapping,
  statusCodeMapping: wire.status_code_mapping ?? base.statusCodeMapping,
  setting: wire.setting ?? base.setting,
  paramOverride: wire.param_override ?? base.paramOverride,
});

/** Type, name, models and groups cannot be emptied; everything else can. */
export const withWireSettings = (base: ChannelSettings, wire: WireSettings): ChannelSettings => ({
  ...withTexts(base, wire),
  type: wire.type || base.type,
  name: wire.name || base.name,
  models: listOf(wire.models) ?? base.models,
  groups: listOf(wire.group) ?? base.groups,
  priority: wire.priority ?? base.priority,
  weight: wire.weight ?? base.weight,
  autoBan: typeof wire.auto_ban === 'number' ? wire.auto_ban === 1 : base.autoBan,
  maxInputTokens: wire.max_input_tokens ?? base.maxInputTokens ?? 0,
  costRatio: wire.cost_ratio ?? base.costRatio ?? '',
});
