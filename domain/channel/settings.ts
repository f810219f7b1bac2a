import { jsonObject } from '../shared/json.ts';
import { baseUrlOf, labelOf, providerOf } from './catalogue.ts';
import { isCostRatio, tidyCostRatio } from './cost-ratio.ts';
import type { ChannelSettings } from './events.ts';
import { headerOverridesOf } from './header-override.ts';
import { paramChangesOf } from './param-override.ts';
import type { ProviderFacts } from './provider-facts.ts';

/** UTF-16 units; the provider's own names are far below. */
const modelNameLimit = 255;
const lowestPriority = -999;

export type SettingsRejection =
  | 'channel.type-unknown'
  | 'channel.type-retired'
  | 'channel.name-required'
  | 'channel.models-required'
  | 'channel.model-name-length'
  | 'channel.priority-invalid'
  | 'channel.weight-invalid'
  | 'channel.json-invalid'
  | 'channel.param-override-invalid'
  | 'channel.header-override-invalid'
  | 'channel.max-input-invalid'
  | 'channel.cost-ratio-invalid'
  | 'channel.base-url-required'
  | 'channel.base-url-invalid'
  | 'channel.other-required'
  | 'channel.region-default-required'
  | 'channel.region-invalid';

export type SettingsProblem = Readonly<{
  code: SettingsRejection;
  details?: Readonly<Record<string, string | number>>;
}>;

const distinct = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => name.trim()).filter((name) => name !== '')),
];

const withoutSlash = (address: string): string => address.trim().replace(/\/+$/, '');

/** One spelling for what means the same: trimmed, no empty or double names, no trailing slash. */
export const tidySettings = ({
  maxInputTokens = 0,
  costRatio = '',
  ...settings
}: ChannelSettings): ChannelSettings => {
  const groups = distinct(settings.groups);
  const other = settings.other.trim();
  const ratio = tidyCostRatio(costRatio);
  return {
    ...settings,
    ...(maxInputTokens === 0 ? {} : { maxInputTokens }),
    ...(ratio === '' ? {} : { costRatio: ratio }),
    name: settings.name.trim(),
    models: distinct(settings.models),
    groups: groups.length === 0 ? ['default'] : groups,
    baseUrl: withoutSlash(settings.baseUrl),
    other: other === '' ? (providerOf(settings.type)?.other?.default ?? '') : other,
    organization: settings.organization.trim(),
    testModel: settings.testModel.trim(),
    tag: settings.tag.trim(),
  };
};

const jsonFields = ['modelMapping', 'statusCodeMapping', 'setting', 'paramOverride'] as const;

const jsonProblem = (settings: ChannelSettings): SettingsProblem | null => {
  const broken = jsonFields.find(
    (field) => settings[field].trim() !== '' && jsonObject(settings[field]) === null,
  );
  return broken === undefined ? null : { code: 'channel.json-invalid', details: { field: broken } };
};

const overrideProblem = ({ paramOverride, setting }: ChannelSettings): SettingsProblem | null => {
  if (paramChangesOf(paramOverride) === null) return { code: 'channel.param-override-invalid' };
  const headers = headerOverridesOf(setting);
  return 'wrong' in headers
    ? { code: 'channel.header-override-invalid', details: { header: headers.wrong } }
    : null;
};

const nameProblem = ({ name, models }: ChannelSettings): SettingsProblem | null => {
  if (name === '') return { code: 'channel.name-required' };
  if (models.length === 0) return { code: 'channel.models-required' };
  const long = models.find((model) => model.length > modelNameLimit);
  return long === undefined
    ? null
    : { code: 'channel.model-name-length', details: { model: long, max: modelNameLimit } };
};

const numberProblem = ({
  priority,
  weight,
  maxInputTokens = 0,
}: ChannelSettings): SettingsProblem | null => {
  if (!Number.isSafeInteger(maxInputTokens) || maxInputTokens < 0) {
    return { code: 'channel.max-input-invalid' };
  }
  if (!Number.isSafeInteger(priority) || priority < lowestPriority) {
    return { code: 'channel.priority-invalid', details: { min: lowestPriority } };
  }
  return Number.isSafeInteger(weight) && weight >= 0 ? null : { code: 'channel.weight-invalid' };
};

const costProblem = ({ costRatio = '' }: ChannelSettings): SettingsProblem | null =>
  costRatio === '' || isCostRatio(costRatio) ? null : { code: 'channel.cost-ratio-invalid' };

/** It becomes part of a host name: anything but one label would lead the key elsewhere. */
export const isRegion = (text: string): boolean => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(text);

/** A region text that is a JSON map needs the default entry for all other models. */
const regionProblem = ({ other }: ChannelSettings): SettingsProblem | null => {
  const map = jsonObject(other);
  if (map !== null && typeof map.default !== 'string') {
    return { code: 'channel.region-default-required' };
  }
  const regions = map === null ? [other] : Object.values(map);
  const bad = regions.find((region) => typeof region !== 'string' || !isRegion(region.trim()));
  return bad === undefined
    ? null
    : { code: 'channel.region-invalid', details: { region: String(bad).slice(0, 100) } };
};

const addressProblem = (
  { baseUrl }: ChannelSettings,
  { baseUrlRequired }: ProviderFacts,
): SettingsProblem | null => {
  if (baseUrl === '') return baseUrlRequired ? { code: 'channel.base-url-required' } : null;
  return /^(https?|wss?):\/\/[^\s/]/.test(baseUrl) ? null : { code: 'channel.base-url-invalid' };
};

const providerProblem = (settings: ChannelSettings): SettingsProblem | null => {
  const provider = providerOf(settings.type);
  if (provider === undefined) {
    return { code: 'channel.type-unknown', details: { type: settings.type } };
  }
  const problem = addressProblem(settings, provider);
  if (problem !== null) return problem;
  const { other } = provider;
  if (other?.required && settings.other === '') return { code: 'channel.other-required' };
  return other?.meaning === 'region' ? regionProblem(settings) : null;
};

/** The error of a retired type, which names the type to use instead; null: the type is served. */
export const retiredProblem = ({ type, baseUrl }: ChannelSettings): SettingsProblem | null => {
  const provider = providerOf(type);
  if (provider?.successor === undefined) return null;
  const { successor } = provider;
  const details = { type: labelOf(provider, 'en'), successor, address: baseUrlOf(type, baseUrl) };
  return { code: 'channel.type-retired', details };
};

/** What is wrong with tidied settings, the first thing only. */
export const settingsProblem = (settings: ChannelSettings): SettingsProblem | null =>
  nameProblem(settings) ??
  numberProblem(settings) ??
  costProblem(settings) ??
  jsonProblem(settings) ??
  overrideProblem(settings) ??
  providerProblem(settings);

const sameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((item, index) => item === right[index]);

const textFields = [
  'type',
  'name',
  'baseUrl',
  'other',
  'organization',
  'testModel',
  'tag',
  'modelMapping',
  'statusCodeMapping',
  'setting',
  'paramOverride',
  'priority',
  'weight',
  'autoBan',
] as const satisfies readonly (keyof ChannelSettings)[];

export const sameSettings = (left: ChannelSettings, right: ChannelSettings): boolean =>
  textFields.every((field) => left[field] === right[field]) &&
  (left.maxInputTokens ?? 0) === (right.maxInputTokens ?? 0) &&
  (left.costRatio ?? '') === (right.costRatio ?? '') &&
  sameList(left.models, right.models) &&
  sameList(left.groups, right.groups);
