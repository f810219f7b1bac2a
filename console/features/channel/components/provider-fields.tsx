import { Callout, Checkbox, InputGroup, TextArea } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Combobox } from '../../../shared/components/combobox.tsx';
import { Field } from '../../../shared/components/field.tsx';
import type { ChannelForm } from '../api/channels.ts';
import { endsInVersion, namesOf } from './channel-form.ts';
import { channelTypes, isWarnedType, keyForms, otherMeaningOf } from './channel-types.ts';
import { useRelatedModels } from './models-field.tsx';

type Props = Readonly<{
  form: ChannelForm;
  isNew: boolean;
  /** The stored key would go somewhere else. */
  needsKey: boolean;
  onChange: (changes: Partial<ChannelForm>) => void;
}>;

const choices = channelTypes.map(({ id, label }) => ({ value: String(id), label }));
/** Service-account JSON. */
const vertex = 41;
/** Its address is fixed. */
const withoutAddress = 45;
const invited = 40;
const inviteAddress = 'https://cloud.siliconflow.cn';
/** What the address means where it is more than another place for the same calls. */
const addressMeanings: Readonly<
  Record<number, 'endpoint' | 'full-url' | 'private-url' | 'suno-url'>
> = { 3: 'endpoint', 8: 'full-url', 22: 'private-url', 36: 'suno-url' };

const KeyField = ({ form, isNew, needsKey, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const keyForm = keyForms[form.type];
  const [isBatch, setBatch] = useState(false);
  const isLong = (isNew && isBatch) || form.type === vertex;
  const shared = {
    value: form.key,
    placeholder: isNew || needsKey ? (keyForm ?? t('key-placeholder')) : t('key-kept'),
    autoComplete: 'off',
    spellCheck: false,
  };
  return (
    <Field
      label={t('key')}
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
        form.type !== vertex && {
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

/** Who is called, where, and with which key. */
export const ProviderFields = ({ form, isNew, needsKey, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const relatedModels = useRelatedModels();
  const other = otherMeaningOf(form.type);
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
      {form.type === invited && (
        <Callout intent="primary" compact>
          <a href={inviteAddress} target="_blank" rel="noreferrer">
            {t('invite')}
          </a>
        </Callout>
      )}
      {form.type !== withoutAddress && (
        <Field
          label={t(addressMeanings[form.type] ?? 'base-url')}
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
      )}
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
      <KeyField form={form} isNew={isNew} needsKey={needsKey} onChange={onChange} />
    </>
  );
};
