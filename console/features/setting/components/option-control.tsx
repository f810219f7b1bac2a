import { HTMLSelect, InputGroup, Switch, TextArea } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import type { SettingField } from './option-fields.ts';

type Props = Readonly<{
  field: SettingField;
  value: string;
  problem: 'json-wrong' | 'number-wrong' | null;
  onChange: (value: string) => void;
}>;

const granularities = ['hour', 'day', 'week'] as const;

/** The control of one option, by its kind. */
export const OptionControl = ({ field: [key, kind], value, problem, onChange }: Props) => {
  const { t } = useTranslation('setting');
  const label = t(`label.${key}`);
  if (kind === 'switch') {
    return (
      <Switch
        label={label}
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  }
  const hint = problem === null ? undefined : <span className="error-text">{t(problem)}</span>;
  return (
    <Field label={label} hint={kind === 'secret' ? t('secret-hint') : hint}>
      {(id) => {
        if (kind === 'json' || kind === 'area') {
          return (
            <TextArea
              id={id}
              fill
              rows={kind === 'json' ? 8 : 6}
              className="mono"
              intent={problem === null ? 'none' : 'danger'}
              spellCheck={false}
              value={value}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
          );
        }
        if (kind === 'choice') {
          return (
            <HTMLSelect
              id={id}
              value={value}
              onChange={(event) => onChange(event.currentTarget.value)}
            >
              {granularities.map((name) => (
                <option key={name} value={name}>
                  {t(`choice.${name}`)}
                </option>
              ))}
            </HTMLSelect>
          );
        }
        return (
          <InputGroup
            id={id}
            type={kind === 'secret' ? 'password' : 'text'}
            autoComplete={kind === 'secret' ? 'new-password' : 'off'}
            inputMode={kind === 'number' ? 'decimal' : 'text'}
            intent={problem === null ? 'none' : 'danger'}
            value={value}
            onValueChange={onChange}
          />
        );
      }}
    </Field>
  );
};
