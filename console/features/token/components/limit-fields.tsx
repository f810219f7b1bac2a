import { Checkbox, HTMLSelect, TextArea } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { useOwnGroups, useOwnModels } from '../../../shared/account.ts';
import { Field } from '../../../shared/components/field.tsx';
import { MultiPicker } from '../../../shared/components/multi-picker.tsx';
import { useGroupText } from '../../../shared/hooks/use-group-text.ts';
import type { TokenForm } from '../api/tokens.ts';
import { namesOf } from './token-form.ts';

type Props = Readonly<{ form: TokenForm; onChange: (changes: Partial<TokenForm>) => void }>;

export const LimitFields = ({ form, onChange }: Props) => {
  const { t } = useTranslation('token');
  const groupText = useGroupText();
  const models = useOwnModels();
  const groups = Object.entries(useOwnGroups().data ?? {});
  return (
    <>
      <Field label={t('group')} hint={groups.length === 0 ? t('no-groups') : t('group-hint')}>
        {(id) => (
          <HTMLSelect
            id={id}
            fill
            disabled={groups.length === 0}
            value={form.group}
            onChange={(event) => onChange({ group: event.currentTarget.value })}
          >
            <option value="">{t('own-group')}</option>
            {groups.map(([name, group]) => (
              <option key={name} value={name}>
                {groupText(name, group)}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Field>
      <Field label={t('allow-ips')} hint={t('allow-ips-hint')}>
        {(id) => (
          <TextArea
            id={id}
            fill
            autoResize
            className="mono"
            value={form.allow_ips}
            placeholder={t('allow-ips-placeholder')}
            onChange={(event) => onChange({ allow_ips: event.currentTarget.value })}
          />
        )}
      </Field>
      <Checkbox
        checked={form.model_limits_enabled}
        label={t('limit-models')}
        onChange={(event) => onChange({ model_limits_enabled: event.currentTarget.checked })}
      />
      <Field label={t('models')}>
        {(id) => (
          <MultiPicker
            id={id}
            values={namesOf(form.model_limits)}
            options={models.data ?? []}
            isDisabled={!form.model_limits_enabled}
            placeholder={t('models-placeholder')}
            onChange={(names) => onChange({ model_limits: names.join(',') })}
          />
        )}
      </Field>
    </>
  );
};
