import { Callout } from '@blueprintjs/core';
import { Lock } from '@blueprintjs/icons';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstProblem } from '../../../shared/form-problem.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { toast } from '../../../shared/toast.ts';
import type { Options } from '../api/options.ts';
import type { SettingCard as Card, OptionKey } from './option-fields.ts';
import { SaveBar } from './save-bar.tsx';
import { SettingFields, TabbedFields } from './setting-fields.tsx';
import { type AskFirst, type SettingForm, useSettingForm } from './use-setting-form.ts';

type Props = Readonly<{
  card: Card;
  options: Options;
  /** Text above the fields. */
  note?: ReactNode;
  /** Buttons next to the one that saves. */
  extra?: ReactNode;
  /** One option at a time: each of them is a table. */
  isTabbed?: boolean;
  /** What the edits would do. */
  preview?: (form: SettingForm) => ReactNode;
  onSave?: AskFirst;
}>;

export const LockedNote = ({ isWhole }: Readonly<{ isWhole: boolean }>) => {
  const { t } = useTranslation('setting');
  return (
    <Callout compact icon={<Lock />} className="setting-note">
      {t(isWhole ? 'locked-card' : 'locked-some')}
    </Callout>
  );
};

/** The option that the address names is scrolled into view, with the focus on its control. */
const useNamedOption = (option: string) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (option === '') return;
    const fields = form.current?.querySelectorAll<HTMLElement>('[data-option]') ?? [];
    const field = [...fields].find(({ dataset }) => dataset.option === option);
    field?.scrollIntoView?.({ block: 'center' });
    field?.querySelector<HTMLElement>('input:not([hidden]), textarea, select')?.focus();
  }, [option]);
  return form;
};

/** One card of options with its own button; only what was changed is sent. */
export const SettingCard = (props: Props) => {
  const { card, options, note, extra, isTabbed = false, preview, onSave } = props;
  const { t } = useTranslation('setting');
  const [{ option }] = useUrlFilters({ option: '' });
  const form = useSettingForm(card, options);
  const { changed, locked, fields } = form;
  const [isChecking, setChecking] = useState(false);
  const first = fields.find(([key]) => key === option) ?? card.fields[0];
  const [shown, setShown] = useState<OptionKey>(first[0]);
  const element = useNamedOption(option);
  const isAllLocked = locked.length === fields.length;

  const submit = async () => {
    if (changed.length === 0) return toast('hint', t('nothing-changed'));
    const wrong = form.firstProblem();
    if (wrong !== undefined) {
      setShown(wrong[0]);
      if (element.current) focusFirstProblem(element.current);
      return toast('error', t('check-input'));
    }
    setChecking(true);
    const further = onSave ? await onSave(form.drafts) : {};
    setChecking(false);
    if (further !== null) form.send({ ...form.drafts, ...further });
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
        ref={element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {isTabbed ? (
          <TabbedFields form={form} shown={shown} onShow={setShown} />
        ) : (
          <SettingFields form={form} />
        )}
        {changed.length > 0 && form.firstProblem() === undefined && preview?.(form)}
        {isAllLocked ? (
          extra
        ) : (
          <SaveBar
            count={changed.length}
            isSaving={form.isSaving || isChecking}
            reason={form.reason}
            onReason={form.setReason}
            onDiscard={form.discard}
            extra={extra}
          />
        )}
      </form>
    </section>
  );
};
