import { InputGroup } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import type { Overrides } from '../api/dispute.ts';

const overrideNames = [
  'model_ratio',
  'completion_ratio',
  'cache_ratio',
  'cache_creation_ratio',
  'group_ratio',
  'model_price',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_creation_tokens',
] as const;
type OverrideName = (typeof overrideNames)[number];
export type OverrideTexts = Readonly<Record<OverrideName, string>>;

export const noOverrides: OverrideTexts = {
  model_ratio: '',
  completion_ratio: '',
  cache_ratio: '',
  cache_creation_ratio: '',
  group_ratio: '',
  model_price: '',
  prompt_tokens: '',
  completion_tokens: '',
  cached_tokens: '',
  cache_creation_tokens: '',
};
const usageNames: readonly OverrideName[] = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_creation_tokens',
];

/** Ratios are exact decimals and travel as text; tokens are whole numbers. */
const isReadable = (name: OverrideName, text: string): boolean =>
  usageNames.includes(name) ? /^\d{1,12}$/.test(text) : /^\d{1,9}(\.\d{1,12})?$/.test(text);

/** Null when nothing was given or something is no number. */
export const overridesOf = (texts: OverrideTexts): Overrides | null => {
  const given = overrideNames.filter((name) => texts[name].trim() !== '');
  if (given.length === 0) return null;
  if (!given.every((name) => isReadable(name, texts[name].trim()))) return null;
  const pick = (isUsage: boolean) =>
    given
      .filter((name) => usageNames.includes(name) === isUsage)
      .map((name) => [name, isUsage ? Number(texts[name]) : texts[name].trim()] as const);
  const usage = pick(true);
  return {
    ...Object.fromEntries(pick(false)),
    ...(usage.length > 0 && { usage: Object.fromEntries(usage) }),
  };
};

type Props = Readonly<{ texts: OverrideTexts; onChange: (texts: OverrideTexts) => void }>;

export const OverrideFields = ({ texts, onChange }: Props) => {
  const { t } = useTranslation('ledger');
  return (
    <div className="field-pair">
      {overrideNames.map((name) => (
        <Field key={name} label={t(`override.${name}`)}>
          {(id) => (
            <InputGroup
              id={id}
              inputMode="decimal"
              value={texts[name]}
              placeholder={t('unchanged')}
              onValueChange={(text) => onChange({ ...texts, [name]: text })}
            />
          )}
        </Field>
      ))}
    </div>
  );
};
