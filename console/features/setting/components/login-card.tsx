import { Switch } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Question } from '../../../shared/components/question.tsx';
import { toast } from '../../../shared/toast.ts';
import { type OptionChange, type Options, useSaveOptions } from '../api/options.ts';
import { type OptionKey, type SettingField, settingTabs } from './option-fields.ts';
import { OptionHistory } from './option-history.tsx';
import { LockedNote } from './setting-card.tsx';
import { useLocked } from './use-locked.ts';

const card = settingTabs.system.find(({ id }) => id === 'login');
const fields: readonly SettingField[] = card?.fields ?? [];
const passwordLogin: OptionKey = 'PasswordLoginEnabled';

/** Each switch is saved at once, and goes back when the server refuses it. */
export const LoginCard = ({ options }: Readonly<{ options: Options }>) => {
  const { t } = useTranslation(['setting', 'common']);
  const [pending, setPending] = useState<OptionChange | null>(null);
  const [isAsking, setAsking] = useState(false);
  const locked = useLocked(fields.map(([key]) => key));
  const save = useSaveOptions();
  const set = (change: OptionChange) => {
    setPending(change);
    save.mutate([change], {
      onSuccess: () => toast('success', t('saved')),
      onSettled: () => setPending(null),
    });
  };
  return (
    <section className="panel panel-body" aria-label={t('card.login')}>
      <h2 className="panel-title setting-title">{t('card.login')}</h2>
      {locked.length > 0 && <LockedNote isWhole={locked.length === fields.length} />}
      <div className="setting-fields">
        {fields.map(([key]) => {
          const value = pending?.key === key ? pending.value : options.get(key);
          return (
            <div key={key} className="setting-field is-switch">
              <div className="switch-field" data-option={key}>
                <Switch
                  label={t(`label.${key}`)}
                  checked={value === 'true'}
                  disabled={save.isPending || locked.includes(key)}
                  onChange={(event) => {
                    const { checked } = event.currentTarget;
                    if (key === passwordLogin && !checked) setAsking(true);
                    else set({ key, value: String(checked) });
                  }}
                />
                <OptionHistory option={key} />
              </div>
            </div>
          );
        })}
      </div>
      <Question
        isOpen={isAsking}
        title={t('password-off-question')}
        hint={t('password-off-hint')}
        intent="danger"
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          set({ key: passwordLogin, value: 'false' });
        }}
      />
    </section>
  );
};
