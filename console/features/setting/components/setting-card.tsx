import { Button, Callout, InputGroup } from '@blueprintjs/core';
import { Lock } from '@blueprintjs/icons';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxReasonLength } from '../../../../command-api/contract/limits.ts';
import { useUnsavedChanges } from '../../../shared/components/unsaved-guard.tsx';
import { focusFirstProblem } from '../../../shared/form-problem.ts';
import { toast } from '../../../shared/toast.ts';
import { type OptionChange, type Options, useOptionRules, useSaveOptions } from '../api/options.ts';
import { OptionControl } from './option-control.tsx';
import type { SettingCard as Card, OptionKey, SettingField } from './option-fields.ts';
import { type Problem, problemOf } from './option-rules.ts';
import { secretsToEnter, withSecrets } from './setting-changes.ts';
import { useLocked } from './use-locked.ts';

export type Drafts = Readonly<Partial<Record<OptionKey, string>>>;

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** What the control shows before it is edited. */
const loadedText = ([key, kind]: SettingField, options: Options): string => {
  const value = options.get(key) ?? '';
  return kind === 'json' || kind === 'chats' ? pretty(value) : value;
};

type Props = Readonly<{
  card: Card;
  options: Options;
  /** Text above the fields. */
  note?: ReactNode;
  /** Buttons beside the one that saves. */
  extra?: ReactNode;
  /** A last look before anything is sent: further drafts to send along, or null to stop. */
  onSave?: (drafts: Drafts) => Promise<Drafts | null>;
}>;

export const LockedNote = ({ isWhole }: Readonly<{ isWhole: boolean }>) => {
  const { t } = useTranslation('setting');
  return (
    <Callout compact icon={<Lock />} className="setting-note">
      {t(isWhole ? 'locked-card' : 'locked-some')}
    </Callout>
  );
};

/** One card of options with its own button; only what was changed is sent. */
export const SettingCard = ({ card, options, note, extra, onSave }: Props) => {
  const { t } = useTranslation('setting');
  const [drafts, setDrafts] = useState<Drafts>({});
  const [reason, setReason] = useState('');
  const [isChecking, setChecking] = useState(false);
  const rules = useOptionRules();
  const save = useSaveOptions();
  const fields: readonly SettingField[] = card.fields;
  const textIn = (all: Drafts, field: SettingField) => all[field[0]] ?? loadedText(field, options);
  const changedIn = (all: Drafts) =>
    fields.filter((field) => textIn(all, field) !== loadedText(field, options));
  const changed = changedIn(drafts);
  useUnsavedChanges(changed.length);
  const locked = useLocked(fields.map(([key]) => key));
  const isAllLocked = locked.length === fields.length;
  const changesIn = (all: Drafts): readonly OptionChange[] =>
    changedIn(all).map((field) => ({
      key: field[0],
      value: textIn(all, field).trim(),
    }));
  const missing = secretsToEnter(changesIn(drafts), rules, drafts);
  const problemIn = (field: SettingField): Problem | null => {
    if (missing.includes(field[0])) return { text: 'secret-again' };
    return field[0] in drafts ? problemOf(field, textIn(drafts, field), rules.get(field[0])) : null;
  };

  const send = (all: Drafts) => {
    const done = () => {
      toast('success', t('saved'));
      setDrafts({});
      setReason('');
    };
    save.mutate(withSecrets(changesIn(all), rules, reason), { onSuccess: done });
  };
  const submit = async (form: HTMLElement) => {
    if (changed.length === 0) return toast('warning', t('nothing-changed'));
    if (fields.some((field) => problemIn(field) !== null)) {
      focusFirstProblem(form);
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
      {locked.length > 0 && <LockedNote isWhole={isAllLocked} />}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <div className="setting-fields">
          {fields.map((field) => (
            <fieldset
              key={field[0]}
              className={`setting-field is-${field[1]}`}
              disabled={locked.includes(field[0])}
            >
              <OptionControl
                field={field}
                value={textIn(drafts, field)}
                problem={problemIn(field)}
                isDisabled={locked.includes(field[0])}
                onChange={(value) => setDrafts({ ...drafts, [field[0]]: value })}
              />
            </fieldset>
          ))}
        </div>
        <div className={changed.length > 0 ? 'button-row setting-save' : 'button-row'}>
          {!isAllLocked && (
            <Button
              type="submit"
              intent={changed.length > 0 ? 'primary' : 'none'}
              text={t('save')}
              loading={save.isPending || isChecking}
            />
          )}
          {changed.length > 0 && <span>{t('unsaved', { count: changed.length })}</span>}
          {changed.length > 0 && (
            <InputGroup
              className="setting-reason"
              aria-label={t('reason')}
              placeholder={t('reason')}
              maxLength={maxReasonLength}
              value={reason}
              onValueChange={setReason}
            />
          )}
          {extra}
        </div>
      </form>
    </section>
  );
};
