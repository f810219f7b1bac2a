import { Button, Callout } from '@blueprintjs/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast.ts';
import { type OptionChange, type Options, useSaveOptions } from '../api/options.ts';
import { OptionControl } from './option-control.tsx';
import type { SettingCard as Card, OptionKey, SettingField } from './option-fields.ts';
import { problemOf, wireValue } from './option-rules.ts';

export type Drafts = Readonly<Partial<Record<OptionKey, string>>>;

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
  return kind === 'json' || kind === 'chats' ? pretty(value) : value;
};

type Props = Readonly<{
  card: Card;
  options: Options;
  /** Words above the fields. */
  note?: ReactNode;
  /** Buttons beside the one that saves. */
  extra?: ReactNode;
  /** Options that this person or this moment cannot change. */
  locked?: readonly OptionKey[];
  /** A last look before anything is sent: further drafts to send along, or null to stop. */
  onSave?: (drafts: Drafts) => Promise<Drafts | null>;
}>;

/** One card of options with its own button; only what was changed is sent. */
export const SettingCard = ({ card, options, note, extra, locked = [], onSave }: Props) => {
  const { t } = useTranslation('setting');
  const [drafts, setDrafts] = useState<Drafts>({});
  const [isChecking, setChecking] = useState(false);
  const save = useSaveOptions();
  const fields: readonly SettingField[] = card.fields;
  const textIn = (all: Drafts, field: SettingField) => all[field[0]] ?? loadedText(field, options);
  const changedIn = (all: Drafts) =>
    fields.filter((field) => textIn(all, field) !== loadedText(field, options));
  const changed = changedIn(drafts);

  const send = (all: Drafts) => {
    const changes = changedIn(all).map(
      (field): OptionChange => ({
        key: field[0],
        value: wireValue(field[0], textIn(all, field)),
      }),
    );
    const done = () => {
      toast('success', t('saved'));
      setDrafts({});
    };
    save.mutate(changes, { onSuccess: done });
  };
  const submit = async () => {
    if (changed.length === 0) return toast('warning', t('nothing-changed'));
    if (changed.some((field) => problemOf(field, textIn(drafts, field)) !== null)) {
      return toast('error', t('check-input'));
    }
    setChecking(true);
    const further = onSave ? await onSave(drafts) : {};
    setChecking(false);
    if (further === null) return;
    const all = { ...drafts, ...further };
    setDrafts(all);
    send(all);
  };

  return (
    <section className="panel panel-body" aria-label={t(`card.${card.id}`)}>
      <h2 className="panel-title setting-title">{t(`card.${card.id}`)}</h2>
      {note && (
        <Callout compact className="setting-note">
          {note}
        </Callout>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="setting-fields">
          {fields.map((field) => (
            <div key={field[0]} className={`setting-field is-${field[1]}`}>
              <OptionControl
                field={field}
                value={textIn(drafts, field)}
                problem={field[0] in drafts ? problemOf(field, textIn(drafts, field)) : null}
                isDisabled={locked.includes(field[0])}
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
            loading={save.isPending || isChecking}
          />
          {extra}
        </div>
      </form>
    </section>
  );
};
