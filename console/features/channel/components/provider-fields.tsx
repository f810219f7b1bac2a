import { Callout, Checkbox, InputGroup, TextArea } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChannelType, useChannelTypes, useTypeLabel } from '../../../shared/channel-types.ts';
import { Combobox } from '../../../shared/components/combobox.tsx';
import { Field } from '../../../shared/components/field.tsx';
import type { ChannelForm } from '../api/channels.ts';
import { endsInVersion, namesOf } from './channel-form.ts';
import { useRelatedModels } from './models-field.tsx';

type Props = Readonly<{
  form: ChannelForm;
  isNew: boolean;
  /** The stored key would go somewhere else. */
  needsKey: boolean;
  onChange: (changes: Partial<ChannelForm>) => void;
}>;

const KeyField = ({ form, isNew, needsKey, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const type = useChannelType(form.type);
  const keyForm = type?.key_form;
  const isDocument = type?.key_has_lines === true;
  const [isBatch, setBatch] = useState(false);
  const isLong = (isNew && isBatch) || isDocument;
  const shared = {
    value: form.key,
    placeholder: isNew || needsKey ? (keyForm ?? t('key-placeholder')) : t('key-kept'),
    autoComplete: 'off',
    spellCheck: false,
  };
  return (
    <Field
      label={t('key')}
      name="key"
      isRequired={isNew || needsKey}
      hint={
        <>
          {needsKey && form.key.trim() === '' && (
            <span className="block error-text">{t('key-again')}</span>
          )}
          {keyForm && <span className="block">{t('key-form', { form: keyForm })}</span>}
          {isNew && isBatch && <span className="block">{t('key-lines')}</span>}
        </>
      }
      {...(isNew &&
        !isDocument && {
          aside: (
            <Checkbox
              className="is-inline"
              checked={isBatch}
              label={t('batch-keys')}
              onChange={(event) => {
                setBatch(event.currentTarget.checked);
                // A single line has no room for the others.
                if (!event.currentTarget.checked) onChange({ key: form.key.split('\n')[0] ?? '' });
              }}
            />
          ),
        })}
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

/** The types that are offered, and the one that the channel has. */
const useTypeChoices = (chosen: number) => {
  const labelOf = useTypeLabel();
  return (useChannelTypes().data ?? [])
    .filter(({ id, offered }) => offered || id === chosen)
    .map((type) => ({ value: String(type.id), label: labelOf(type) }));
};

/** Who is called, where, and with which key. */
export const ProviderFields = ({ form, isNew, needsKey, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const relatedModels = useRelatedModels();
  const choices = useTypeChoices(form.type);
  const type = useChannelType(form.type);
  const changeType = (value: string) => {
    const next = Number(value);
    const isUntouched =
      form.models === '' || namesOf(form.models).join() === relatedModels(form.type).join();
    onChange({ type: next, ...(isUntouched && { models: relatedModels(next).join(',') }) });
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
      {type?.warning && (
        <Callout intent="warning" compact>
          {t(`type-warning.${type.warning}`)}
        </Callout>
      )}
      <Field label={t('name')} name="name" isRequired>
        {(id) => (
          <InputGroup
            id={id}
            value={form.name}
            placeholder={t('name-placeholder')}
            onValueChange={(name) => onChange({ name })}
          />
        )}
      </Field>
      {type?.sign_up_url && (
        <Callout intent="primary" compact>
          <a href={type.sign_up_url} target="_blank" rel="noreferrer">
            {t('invite')}
          </a>
        </Callout>
      )}
      <Field
        label={t(type?.base_url_meaning ?? 'base-url')}
        name="base_url"
        hint={
          endsInVersion(form.base_url) ? (
            <span className="warn">{t('base-url-v1')}</span>
          ) : (
            t('base-url-hint')
          )
        }
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
      {type?.other && (
        <Field
          label={t(`other.${type.other.meaning}`)}
          name="other"
          isRequired={type.other.required}
        >
          {(id) => (
            <InputGroup
              id={id}
              value={form.other}
              onValueChange={(text) => onChange({ other: text })}
            />
          )}
        </Field>
      )}
      <KeyField form={form} isNew={isNew} needsKey={needsKey} onChange={onChange} />
    </>
  );
};
