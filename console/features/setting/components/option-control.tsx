import { HTMLSelect, InputGroup, Switch, TextArea } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { idleOptions } from '../../../../projections/contract/idle-options.ts';
import { Field } from '../../../shared/components/field.tsx';
import { asExactCurrency } from '../../../shared/format/quota.ts';
import { isQuotaSetting } from '../../../shared/quota-settings.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { ChatsEditor } from './chats-editor.tsx';
import { DomainInput } from './domain-input.tsx';
import { JsonEditor } from './json-editor.tsx';
import { tableOf } from './json-tables.ts';
import type { SettingField } from './option-fields.ts';
import { OptionHistory } from './option-history.tsx';
import { helpOf } from './section-search.ts';

type Props = Readonly<{
  field: SettingField;
  value: string;
  /** The error, with what would be right. */
  problem: string | null;
  isDisabled?: boolean;
  onChange: (value: string) => void;
}>;

const granularities = ['hour', 'day', 'week'] as const;

const useHint = ({ field: [key, kind], problem, value }: Props) => {
  const { t } = useTranslation('setting');
  const display = useQuotaDisplay();
  if (problem !== null) return <span className="error-text">{problem}</span>;
  if (idleOptions.includes(key)) return t('no-effect');
  if (kind === 'secret') return t('secret-hint');
  const help = helpOf(key, t) || undefined;
  if (!isQuotaSetting(key) || !display.inCurrency) return help;
  return t('worth', { help, amount: asExactCurrency(Math.trunc(Number(value)), display) });
};

const Area = ({ id, ...props }: Props & Readonly<{ id: string }>) => {
  const isWrong = props.problem !== null;
  return (
    <TextArea
      id={id}
      fill
      rows={props.field[1] === 'area' ? 6 : 12}
      className="mono"
      intent={isWrong ? 'danger' : 'none'}
      aria-invalid={isWrong}
      spellCheck={false}
      disabled={props.isDisabled ?? false}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
};

const Choice = ({ id, value, onChange }: Props & Readonly<{ id: string }>) => {
  const { t } = useTranslation('setting');
  return (
    <HTMLSelect id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {granularities.map((name) => (
        <option key={name} value={name}>
          {t(`choice.${name}`)}
        </option>
      ))}
    </HTMLSelect>
  );
};

const Line = ({ id, ...props }: Props & Readonly<{ id: string }>) => {
  const [, kind] = props.field;
  const isWrong = props.problem !== null;
  return (
    <InputGroup
      id={id}
      type={kind === 'secret' ? 'password' : 'text'}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      intent={isWrong ? 'danger' : 'none'}
      aria-invalid={isWrong}
      disabled={props.isDisabled ?? false}
      value={props.value}
      onValueChange={props.onChange}
    />
  );
};

const SwitchLine = (props: Props) => {
  const { t } = useTranslation('setting');
  const [key] = props.field;
  const hint = useHint(props);
  return (
    <div className="switch-field">
      <Switch
        label={t(`label.${key}`)}
        checked={props.value === 'true'}
        disabled={props.isDisabled ?? false}
        onChange={(event) => props.onChange(String(event.currentTarget.checked))}
      />
      <OptionHistory option={key} />
      {hint && <div className="bp6-form-helper-text">{hint}</div>}
    </div>
  );
};

/** The control of one option, by its kind. */
export const OptionControl = (props: Props) => {
  const { t } = useTranslation('setting');
  const { value, problem, onChange } = props;
  const [key, kind] = props.field;
  const hint = useHint(props);
  if (kind === 'switch') return <SwitchLine {...props} />;
  const label = t(`label.${key}`);
  const area = (id: string) => <Area {...props} id={id} />;
  const aside = <OptionHistory option={key} />;
  if (kind === 'chats') {
    const isWrong = problem !== null;
    return <ChatsEditor {...{ label, hint, isWrong, value, area, aside, onChange }} />;
  }
  const table = kind === 'json' ? tableOf(key) : null;
  if (table !== null) {
    const isWrong = problem !== null;
    return (
      <JsonEditor name={key} {...{ label, hint, isWrong, table, value, area, aside, onChange }} />
    );
  }
  return (
    <Field label={label} hint={hint} aside={aside}>
      {(id) => {
        if (kind === 'json' || kind === 'area') return area(id);
        if (kind === 'domains') return <DomainInput id={id} value={value} onChange={onChange} />;
        return kind === 'choice' ? <Choice {...props} id={id} /> : <Line {...props} id={id} />;
      }}
    </Field>
  );
};
