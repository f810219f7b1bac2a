import { Callout, InputGroup, TextArea } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Combobox } from '../../../shared/components/combobox.tsx';
import { Field } from '../../../shared/components/field.tsx';
import type { ChannelForm } from '../api/channels.ts';
import { namesOf } from './channel-form.ts';
import { channelTypes, isWarnedType, keyForms, otherMeaningOf } from './channel-types.ts';
import { useRelatedModels } from './models-field.tsx';

type Props = Readonly<{
  form: ChannelForm;
  isNew: boolean;
  onChange: (changes: Partial<ChannelForm>) => void;
}>;

const choices = channelTypes.map(({ id, label }) => ({ value: String(id), label }));
/** Service-account JSON. */
const vertex = 41;

const KeyField = ({ form, isNew, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const keyForm = keyForms[form.type];
  const isLong = isNew || form.type === vertex;
  const shared = {
    value: form.key,
    placeholder: isNew ? (keyForm ?? t('key-placeholder')) : t('key-kept'),
    autoComplete: 'off',
    spellCheck: false,
  };
  return (
    <Field
      label={t('key')}
      isRequired={isNew}
      hint={keyForm ? t('key-form', { form: keyForm }) : isNew ? t('key-lines') : undefined}
    >
      {(id) =>
        isLong ? (
          <TextArea
            id={id}
            fill
            autoResize
            className="mono"
            {...shared}
            onChange={(event) => onChange({ key: event.currentTarget.value })}
          />
        ) : (
          <InputGroup
            id={id}
            className="mono"
            {...shared}
            onValueChange={(key) => onChange({ key })}
          />
        )
      }
    </Field>
  );
};

/** Who is called, where, and with which key. */
export const ProviderFields = ({ form, isNew, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const relatedModels = useRelatedModels();
  const other = otherMeaningOf(form.type);
  const endsInVersion = /\/v1\/?$/.test(form.base_url.trim());
  const changeType = (value: string) => {
    const type = Number(value);
    const isUntouched =
      form.models === '' || namesOf(form.models).join() === relatedModels(form.type).join();
    onChange({ type, ...(isUntouched && { models: relatedModels(type).join(',') }) });
  };
  return (
    <>
      <Field label={t('type')} isRequired>
        {(id) => (
          <Combobox
            id={id}
            value={String(form.type)}
            choices={choices}
            placeholder={t('type-placeholder')}
            onChange={changeType}
          />
        )}
      </Field>
      {isWarnedType(form.type) && (
        <Callout intent="warning" compact>
          {t(`type-warning.${form.type}`)}
        </Callout>
      )}
      <Field label={t('name')} isRequired>
        {(id) => (
          <InputGroup
            id={id}
            value={form.name}
            placeholder={t('name-placeholder')}
            onValueChange={(name) => onChange({ name })}
          />
        )}
      </Field>
      <Field
        label={form.type === 8 ? t('full-url') : t('base-url')}
        hint={endsInVersion ? <span className="warn">{t('base-url-v1')}</span> : t('base-url-hint')}
      >
        {(id) => (
          <InputGroup
            id={id}
            type="url"
            inputMode="url"
            value={form.base_url}
            placeholder="https://"
            onValueChange={(base_url) => onChange({ base_url })}
          />
        )}
      </Field>
      {other && (
        <Field label={t(`other.${other}`)} isRequired={form.type === vertex}>
          {(id) => (
            <InputGroup
              id={id}
              value={form.other}
              onValueChange={(text) => onChange({ other: text })}
            />
          )}
        </Field>
      )}
      <KeyField form={form} isNew={isNew} onChange={onChange} />
    </>
  );
};
