import { Button, Checkbox, InputGroup, TextArea } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { useChannelType } from '../../../shared/channel-types.ts';
import { Field } from '../../../shared/components/field.tsx';
import { MultiPicker } from '../../../shared/components/multi-picker.tsx';
import { type ChannelForm, useGroups } from '../api/channels.ts';
import { isJsonObject, type JsonField, jsonTemplates, namesOf } from './channel-form.ts';

type Props = Readonly<{ form: ChannelForm; onChange: (changes: Partial<ChannelForm>) => void }>;

const JsonInput = ({ field, form, onChange }: Props & Readonly<{ field: JsonField }>) => {
  const { t } = useTranslation('channel');
  return (
    <Field
      label={t(`json.${field}`)}
      name={field}
      hint={t(`json-hint.${field}`)}
      aside={
        <Button
          size="small"
          variant="minimal"
          text={t('template')}
          onClick={() => onChange({ [field]: jsonTemplates[field] })}
        />
      }
    >
      {(id) => (
        <TextArea
          id={id}
          fill
          autoResize
          className="mono"
          spellCheck={false}
          intent={isJsonObject(form[field]) ? 'none' : 'danger'}
          aria-invalid={!isJsonObject(form[field])}
          value={form[field]}
          placeholder="{}"
          onChange={(event) => onChange({ [field]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
};

/** Who may use it, and how it is chosen among its like. */
export const RoutingFields = ({ form, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const groups = useGroups();
  const numberField = (name: 'priority' | 'weight' | 'max_input_tokens') => (
    <Field label={t(name)} hint={t(`${name}-hint`)} name={name}>
      {(id) => (
        <InputGroup
          id={id}
          type="number"
          step={1}
          value={Number.isNaN(form[name]) ? '' : String(form[name])}
          onValueChange={(text) => onChange({ [name]: text === '' ? Number.NaN : Number(text) })}
        />
      )}
    </Field>
  );
  return (
    <>
      <Field label={t('groups')} hint={t('groups-hint')}>
        {(id) => (
          <MultiPicker
            id={id}
            values={namesOf(form.group)}
            options={groups.data ?? []}
            canAdd
            placeholder={t('groups-placeholder')}
            onChange={(names) => onChange({ group: names.join(',') })}
          />
        )}
      </Field>
      <div className="field-pair">
        {numberField('priority')}
        {numberField('weight')}
      </div>
      <div className="field-pair">
        {numberField('max_input_tokens')}
        <Field label={t('cost_ratio')} hint={t('cost_ratio-hint')} name="cost_ratio">
          {(id) => (
            <InputGroup
              id={id}
              inputMode="decimal"
              value={form.cost_ratio}
              placeholder="0.8"
              onValueChange={(text) => onChange({ cost_ratio: text })}
            />
          )}
        </Field>
      </div>
      <JsonInput field="model_mapping" form={form} onChange={onChange} />
    </>
  );
};

/** What most channels never need. */
export const ExpertFields = ({ form, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const type = useChannelType(form.type);
  const textField = (name: 'tag' | 'test_model' | 'openai_organization') => (
    <Field label={t(name)} {...(name === 'test_model' && { hint: t('test_model-hint') })}>
      {(id) => (
        <InputGroup
          id={id}
          value={form[name]}
          onValueChange={(text) => onChange({ [name]: text })}
        />
      )}
    </Field>
  );
  return (
    <>
      <div className="field-pair">
        {textField('tag')}
        {textField('test_model')}
      </div>
      {type?.takes_organization && textField('openai_organization')}
      <Checkbox
        checked={form.auto_ban === 1}
        label={t('auto-ban')}
        onChange={(event) => onChange({ auto_ban: event.currentTarget.checked ? 1 : 0 })}
      />
      <p className="subtle field-note">{t('auto-ban-hint')}</p>
      <JsonInput field="setting" form={form} onChange={onChange} />
      <JsonInput field="param_override" form={form} onChange={onChange} />
      <JsonInput field="status_code_mapping" form={form} onChange={onChange} />
    </>
  );
};
