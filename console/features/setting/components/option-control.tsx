import { HTMLSelect, InputGroup, Switch, TextArea } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { idleOptions } from '../../../../projections/contract/idle-options.ts';
import { Field } from '../../../shared/components/field.tsx';
import { ChatsEditor } from './chats-editor.tsx';
import { DomainInput } from './domain-input.tsx';
import type { SettingField } from './option-fields.ts';
import type { Problem } from './option-rules.ts';

type Props = Readonly<{
  field: SettingField;
  value: string;
  problem: Problem | null;
  isDisabled?: boolean;
  onChange: (value: string) => void;
}>;

const granularities = ['hour', 'day', 'week'] as const;

/** The control of one option, by its kind. */
export const OptionControl = (props: Props) => {
  const { t } = useTranslation('setting');
  const { value, problem, onChange, isDisabled = false } = props;
  const [key, kind] = props.field;
  const label = t(`label.${key}`);
  if (kind === 'switch') {
    return (
      <Switch
        label={label}
        checked={value === 'true'}
        disabled={isDisabled}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  }
  const intent = problem === null ? 'none' : 'danger';
  const { text: problemText, min = 0, max = 0, at = 0 } = problem ?? {};
  const idleHint = idleOptions.includes(key) ? t('no-effect') : undefined;
  const quietHint = idleHint ?? (kind === 'secret' ? t('secret-hint') : undefined);
  const hint =
    problemText === undefined ? (
      quietHint
    ) : (
      <span className="error-text">{t(problemText, { min, max, at })}</span>
    );
  const area = (id: string) => (
    <TextArea
      id={id}
      fill
      rows={kind === 'area' ? 6 : 8}
      className="mono"
      intent={intent}
      aria-invalid={problem !== null}
      spellCheck={false}
      disabled={isDisabled}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
  const choice = (id: string) => (
    <HTMLSelect id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {granularities.map((name) => (
        <option key={name} value={name}>
          {t(`choice.${name}`)}
        </option>
      ))}
    </HTMLSelect>
  );
  const line = (id: string) => (
    <InputGroup
      id={id}
      type={kind === 'secret' ? 'password' : 'text'}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      intent={intent}
      aria-invalid={problem !== null}
      disabled={isDisabled}
      value={value}
      onValueChange={onChange}
    />
  );
  if (kind === 'chats') {
    return <ChatsEditor {...{ label, hint, value, area, onChange }} />;
  }
  return (
    <Field label={label} hint={hint}>
      {(id) => {
        if (kind === 'json' || kind === 'area') return area(id);
        if (kind === 'domains') return <DomainInput id={id} value={value} onChange={onChange} />;
        return kind === 'choice' ? choice(id) : line(id);
      }}
    </Field>
  );
};
