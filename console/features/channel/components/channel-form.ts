import { maxCostRatio } from '../../../../command-api/contract/limits.ts';
import { isRecord } from '../../../shared/local-values.ts';
import type { ChannelForm, ChannelRow } from '../api/channels.ts';

export const blankChannel: ChannelForm = {
  type: 1,
  name: '',
  key: '',
  base_url: '',
  other: '',
  models: '',
  group: 'default',
  model_mapping: '',
  status_code_mapping: '',
  setting: '',
  param_override: '',
  openai_organization: '',
  test_model: '',
  tag: '',
  priority: 0,
  weight: 0,
  auto_ban: 1,
  max_input_tokens: 0,
  cost_ratio: '',
};

export const formOf = (row: ChannelRow): ChannelForm => ({
  type: row.type,
  name: row.name,
  key: '',
  base_url: row.base_url ?? '',
  other: row.other ?? '',
  models: row.models,
  group: row.group,
  model_mapping: row.model_mapping ?? '',
  status_code_mapping: row.status_code_mapping ?? '',
  setting: row.setting ?? '',
  param_override: row.param_override ?? '',
  openai_organization: row.openai_organization ?? '',
  test_model: row.test_model ?? '',
  tag: row.tag ?? '',
  priority: row.priority,
  weight: row.weight,
  auto_ban: row.auto_ban === 0 ? 0 : 1,
  max_input_tokens: row.max_input_tokens ?? 0,
  cost_ratio: row.cost_ratio ?? '',
});

export const namesOf = (comma: string): readonly string[] =>
  comma
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Added to every address by itself; one that has it already would have it twice. */
export const endsInVersion = (address: string): boolean => /\/v1\/*$/.test(address.trim());

const jsonFields = ['model_mapping', 'status_code_mapping', 'setting', 'param_override'] as const;
export type JsonField = (typeof jsonFields)[number];

export const jsonTemplates: Readonly<Record<JsonField, string>> = {
  model_mapping: JSON.stringify({ 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' }, null, 2),
  status_code_mapping: JSON.stringify({ '400': '500' }, null, 2),
  setting: JSON.stringify({ force_format: true }, null, 2),
  param_override: JSON.stringify({ temperature: 0 }, null, 2),
};

/** Empty, or a JSON object. */
export const isJsonObject = (text: string): boolean => {
  if (text.trim() === '') return true;
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
};

export type ChannelProblem =
  | 'name-or-key-missing'
  | 'models-missing'
  | 'numbers-wrong'
  | 'key-again'
  | 'max-input-wrong'
  | 'cost-ratio-wrong'
  | `json-wrong.${JsonField}`;

/** Empty: the cost of the channel is unknown. */
const isCostRatio = (text: string): boolean =>
  text === '' || (/^\d+(\.\d{1,6})?$/.test(text) && Number(text) <= maxCostRatio);

const proxyOf = (setting: string): string => {
  try {
    const parsed: unknown = JSON.parse(setting);
    return isRecord(parsed) ? String(parsed.proxy ?? '').trim() : '';
  } catch {
    return '';
  }
};

/** The stored key is not sent to another provider, address or proxy: it is required again. */
export const sendsKeyElsewhere = (stored: ChannelForm, form: ChannelForm): boolean =>
  stored.type !== form.type ||
  stored.base_url !== trimmed(form).base_url ||
  proxyOf(stored.setting) !== proxyOf(form.setting);

const numberProblemOf = (form: ChannelForm): ChannelProblem | null => {
  const isLimit = Number.isSafeInteger(form.max_input_tokens) && form.max_input_tokens >= 0;
  if (!isLimit) return 'max-input-wrong';
  if (!isCostRatio(form.cost_ratio.trim())) return 'cost-ratio-wrong';
  const areNumbers = Number.isSafeInteger(form.priority) && Number.isSafeInteger(form.weight);
  return areNumbers && form.weight >= 0 ? null : 'numbers-wrong';
};

/** In the order in which a person meets the fields. `stored` null: the channel is new. */
export const problemOf = (form: ChannelForm, stored: ChannelForm | null): ChannelProblem | null => {
  const hasKey = form.key.trim() !== '';
  if (form.name.trim() === '' || (stored === null && !hasKey)) return 'name-or-key-missing';
  if (stored !== null && !hasKey && sendsKeyElsewhere(stored, form)) return 'key-again';
  if (namesOf(form.models).length === 0) return 'models-missing';
  const broken = jsonFields.find((field) => !isJsonObject(form[field]));
  if (broken !== undefined) return `json-wrong.${broken}`;
  return numberProblemOf(form);
};

/** The field at which a problem is shown. */
export const fieldOf = (problem: ChannelProblem, form: ChannelForm): string => {
  if (problem === 'name-or-key-missing') return form.name.trim() === '' ? 'name' : 'key';
  if (problem === 'key-again') return 'key';
  if (problem === 'models-missing') return 'models';
  if (problem === 'max-input-wrong') return 'max_input_tokens';
  if (problem === 'cost-ratio-wrong') return 'cost_ratio';
  if (problem !== 'numbers-wrong') return problem.slice('json-wrong.'.length);
  return Number.isSafeInteger(form.priority) ? 'weight' : 'priority';
};

/** An address on the wire has no slash at the end. `otherDefault` replaces an empty field. */
export const trimmed = (form: ChannelForm, otherDefault = ''): ChannelForm => ({
  ...form,
  name: form.name.trim(),
  key: form.key.trim(),
  base_url: form.base_url.trim().replace(/\/+$/, ''),
  other: form.other.trim() || otherDefault,
  cost_ratio: form.cost_ratio.trim(),
});
