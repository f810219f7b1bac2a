import { Button, Checkbox, InputGroup, Radio, RadioGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SelfRow, UserSetting } from '../../../../projections/contract/user.ts';
import { Field } from '../../../shared/components/field.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { asExactCurrency } from '../../../shared/format/quota.ts';
import { isRecord } from '../../../shared/local-values.ts';
import { emailAt } from '../../../shared/refusals.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { useSaveSetting } from '../api/personal.ts';

const settingOf = ({ setting }: SelfRow): Partial<UserSetting> => {
  try {
    const value: unknown = JSON.parse(setting);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

/** Quota units and their labels; the last two match no rate and keep their established wording. */
const presets = [
  [100_000, '0.2'],
  [500_000, '1'],
  [1_000_000, '5'],
  [5_000_000, '10'],
] as const;

const fieldOf = { 'user.webhook-not-https': 'webhook_url', ...emailAt('notification_email') };

/** Where the warning about low quota goes, and what the user accepts. */
export const NotifyCard = ({ user }: Readonly<{ user: SelfRow }>) => {
  const { t } = useTranslation('personal');
  const display = useQuotaDisplay();
  const [form, setForm] = useState(() => {
    const saved = settingOf(user);
    return {
      notify_type: saved.notify_type ?? 'email',
      threshold: String(saved.quota_warning_threshold ?? user.quota_remind_threshold),
      webhook_url: saved.webhook_url ?? '',
      webhook_secret: '',
      notification_email: saved.notification_email ?? '',
      accept_unset_model_ratio_model: saved.accept_unset_model_ratio_model ?? false,
    };
  });
  const save = useSaveSetting();
  const change = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const units = Math.trunc(Number(form.threshold)) || 0;
  const worth = asExactCurrency(units, display);
  const hasOwn = settingOf(user).quota_warning_threshold !== undefined;
  const isWebhook = form.notify_type === 'webhook';
  const saved = settingOf(user);
  const losesSecret =
    saved.webhook_secret_set === true &&
    form.webhook_secret === '' &&
    form.webhook_url !== saved.webhook_url;
  const hintOf = (name: 'webhook_url' | 'webhook_secret' | 'notification_email') =>
    name === 'webhook_secret' && losesSecret ? (
      <span className="warn">{t('secret-again')}</span>
    ) : (
      t(`notify-hint.${name}`)
    );

  const { problem, report } = useFormProblem(form);
  const showRefusal = useRefusals(report, fieldOf);
  const submit = () => {
    const { threshold, ...rest } = form;
    const wanted = Number(threshold);
    if (!Number.isFinite(wanted) || wanted <= 0) return report('threshold', t('threshold-wrong'));
    if (isWebhook && !form.webhook_url.startsWith('https://')) {
      return report('webhook_url', t('webhook-wrong'));
    }
    save.mutate(
      { ...rest, quota_warning_threshold: wanted },
      { onError: showRefusal, onSuccess: () => toast('success', t('notify-done')) },
    );
  };
  const text = (name: 'webhook_url' | 'webhook_secret' | 'notification_email') => (
    <Field label={t(`notify.${name}`)} name={name} hint={hintOf(name)}>
      {(id) => (
        <InputGroup
          id={id}
          type={name === 'webhook_secret' ? 'password' : 'text'}
          autoComplete={name === 'webhook_secret' ? 'new-password' : 'off'}
          value={form[name]}
          onValueChange={(value) => change({ [name]: value })}
        />
      )}
    </Field>
  );
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('notify-title')}</h2>
      <p className="panel-lead">{t('notify-lead')}</p>
      <ProblemForm problem={problem} onSubmit={submit}>
        <RadioGroup
          inline
          selectedValue={form.notify_type}
          onChange={(event) =>
            change({ notify_type: event.currentTarget.value === 'webhook' ? 'webhook' : 'email' })
          }
        >
          <Radio value="email" label={t('notify-email')} />
          <Radio value="webhook" label={t('notify-webhook')} />
        </RadioGroup>
        {isWebhook ? (
          <>
            {text('webhook_url')}
            {text('webhook_secret')}
          </>
        ) : (
          text('notification_email')
        )}
        <Field
          label={t('threshold')}
          name="threshold"
          hint={hasOwn ? worth : t('threshold-of-site', { worth })}
        >
          {(id) => (
            <InputGroup
              id={id}
              inputMode="numeric"
              value={form.threshold}
              onValueChange={(threshold) => change({ threshold })}
            />
          )}
        </Field>
        <fieldset className="tag-row threshold-presets" aria-label={t('threshold-presets')}>
          {presets.map(([units, dollars]) => (
            <Button
              key={units}
              size="small"
              variant="minimal"
              text={`${units} (${dollars}$)`}
              onClick={() => change({ threshold: String(units) })}
            />
          ))}
        </fieldset>
        <Checkbox
          checked={form.accept_unset_model_ratio_model}
          label={t('accept-unpriced')}
          onChange={(event) =>
            change({ accept_unset_model_ratio_model: event.currentTarget.checked })
          }
        />
        <Button type="submit" text={t('notify-save')} loading={save.isPending} />
      </ProblemForm>
    </section>
  );
};
