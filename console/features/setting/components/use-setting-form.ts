import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error.ts';
import { reportError } from '../../../shared/api/report-error.ts';
import { useUnsavedChanges } from '../../../shared/components/unsaved-guard.tsx';
import { toast } from '../../../shared/toast.ts';
import { type OptionChange, type Options, useOptionRules, useSaveOptions } from '../api/options.ts';
import type { OptionKey, SettingCard, SettingField } from './option-fields.ts';
import { problemOf } from './option-rules.ts';
import { problemText } from './problem-text.ts';
import { secretsToEnter, withSecrets } from './setting-changes.ts';
import { useLocked } from './use-locked.ts';

export type Drafts = Readonly<Partial<Record<OptionKey, string>>>;
/** A last question before anything is sent: further drafts to send along, or null to stop. */
export type AskFirst = (drafts: Drafts) => Promise<Drafts | null>;

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

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.kind === 'refused';

/** The edits of one card, what is wrong with them, and how they are saved or dropped. */
export const useSettingForm = (card: SettingCard, options: Options) => {
  const { t } = useTranslation('setting');
  const { t: tCommon } = useTranslation('common');
  const [drafts, setDrafts] = useState<Drafts>({});
  const [reason, setReason] = useState('');
  /** The server's error of an option, and of which text. */
  const [refused, setRefused] = useState<ReadonlyMap<string, readonly [string, string]>>(new Map());
  const rules = useOptionRules();
  const save = useSaveOptions({
    onRefused: ({ key, value }, message) =>
      setRefused((before) => new Map([...before, [key, [value, message]]])),
  });
  const fields: readonly SettingField[] = card.fields;
  const textIn = (all: Drafts, field: SettingField) => all[field[0]] ?? loadedText(field, options);
  const changedIn = (all: Drafts) =>
    fields.filter((field) => textIn(all, field) !== loadedText(field, options));
  const changed = changedIn(drafts);
  useUnsavedChanges(changed.length);
  const locked = useLocked(fields.map(([key]) => key));
  const changesIn = (all: Drafts): readonly OptionChange[] =>
    changedIn(all).map((field) => ({ key: field[0], value: textIn(all, field).trim() }));
  const missing = secretsToEnter(changesIn(drafts), rules, drafts);

  /** With what would be right; null: no error that is checked here. */
  const ownProblem = (field: SettingField): string | null => {
    const [key] = field;
    if (missing.includes(key)) return t('secret-again');
    if (!(key in drafts)) return null;
    const problem = problemOf(field, textIn(drafts, field), rules.get(key));
    return problem && problemText(problem, t);
  };
  const problemIn = (field: SettingField): string | null => {
    const [value, message] = refused.get(field[0]) ?? [];
    const isOfThis = message !== undefined && value === textIn(drafts, field).trim();
    return ownProblem(field) ?? (isOfThis ? message : null);
  };
  const discard = () => {
    setDrafts({});
    setReason('');
    setRefused(new Map());
  };
  const send = (all: Drafts) => {
    setDrafts(all);
    save.mutate(withSecrets(changesIn(all), rules, reason), {
      onSuccess: () => {
        toast('success', t('saved'));
        discard();
      },
      // A refusal of a field of this card is shown at the field.
      onError: (error) => {
        if (!isRefusal(error)) reportError(error, tCommon);
      },
    });
  };
  return {
    fields,
    drafts,
    changed,
    changes: changesIn(drafts),
    locked,
    reason,
    setReason,
    isSaving: save.isPending,
    textOf: (field: SettingField) => textIn(drafts, field),
    problemIn,
    firstProblem: () => fields.find((field) => ownProblem(field) !== null),
    change: (key: OptionKey, value: string) => setDrafts({ ...drafts, [key]: value }),
    discard,
    send,
  };
};
export type SettingForm = ReturnType<typeof useSettingForm>;
