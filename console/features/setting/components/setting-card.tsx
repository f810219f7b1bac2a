import { Button } from '@blueprintjs/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast.ts';
import { type Options, useSaveOptions } from '../api/options.ts';
import { OptionControl } from './option-control.tsx';
import type { SettingCard as Card, SettingField } from './option-fields.ts';

type Drafts = Readonly<Record<string, string>>;

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** What the control shows before anybody types. */
const loadedText = ([key, kind]: SettingField, options: Options): string => {
  const value = options.get(key) ?? '';
  return kind === 'json' ? pretty(value) : value;
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

export const problemOf = ([, kind]: SettingField, text: string) => {
  if (kind === 'json' && !isJson(text)) return 'json-wrong';
  const isNumber = /^-?\d+(\.\d+)?$/.test(text.trim());
  return kind === 'number' && !isNumber ? 'number-wrong' : null;
};

type Props = Readonly<{ card: Card; options: Options; extra?: ReactNode }>;

/** One card of options with its own button; only what was changed is sent. */
export const SettingCard = ({ card, options, extra }: Props) => {
  const { t } = useTranslation('setting');
  const [drafts, setDrafts] = useState<Drafts>({});
  const save = useSaveOptions();
  const fields: readonly SettingField[] = card.fields;
  const textOf = (field: SettingField) => drafts[field[0]] ?? loadedText(field, options);
  const changed = fields.filter((field) => textOf(field) !== loadedText(field, options));

  const submit = () => {
    if (changed.length === 0) return toast('warning', t('nothing-changed'));
    if (changed.some((field) => problemOf(field, textOf(field)) !== null)) {
      return toast('error', t('check-input'));
    }
    const changes = changed.map((field) => ({ key: field[0], value: textOf(field).trim() }));
    save.mutate(changes, {
      onSuccess: () => {
        toast('success', t('saved'));
        setDrafts({});
      },
    });
  };
  return (
    <section className="panel panel-body" aria-label={t(`card.${card.id}`)}>
      <h2 className="panel-title setting-title">{t(`card.${card.id}`)}</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="setting-fields">
          {fields.map((field) => (
            <div key={field[0]} className={`setting-field is-${field[1]}`}>
              <OptionControl
                field={field}
                value={textOf(field)}
                problem={field[0] in drafts ? problemOf(field, textOf(field)) : null}
                onChange={(value) => setDrafts({ ...drafts, [field[0]]: value })}
              />
            </div>
          ))}
        </div>
        <div className="button-row">
          <Button
            type="submit"
            intent={changed.length > 0 ? 'primary' : 'none'}
            text={t('save')}
            loading={save.isPending}
          />
          {extra}
        </div>
      </form>
    </section>
  );
};
