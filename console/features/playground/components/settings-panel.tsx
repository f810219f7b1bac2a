import { HTMLSelect, InputGroup, Slider, TextArea } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import type { UserGroups } from '../../../shared/account.ts';
import { Combobox } from '../../../shared/components/combobox.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { useGroupText } from '../../../shared/hooks/use-group-text.ts';
import type { ChatSettings } from './use-chat.ts';

type Props = Readonly<{
  settings: ChatSettings;
  models: readonly string[];
  groups: UserGroups;
  ownGroup: string;
  onChange: (changes: Partial<ChatSettings>) => void;
}>;

/** The user's own group first. */
export const groupOptions = (groups: UserGroups, ownGroup: string) =>
  Object.entries(groups).sort(([a], [b]) => Number(b === ownGroup) - Number(a === ownGroup));

export const SettingsPanel = ({ settings, models, groups, ownGroup, onChange }: Props) => {
  const { t } = useTranslation('playground');
  const groupText = useGroupText();
  const options = groupOptions(groups, ownGroup);
  return (
    <div className="playground-settings">
      <Field label={t('group')}>
        {(id) => (
          <HTMLSelect
            id={id}
            fill
            value={settings.group}
            onChange={(event) => onChange({ group: event.currentTarget.value })}
          >
            {options.length === 0 && <option value="">{t('user-group')}</option>}
            {options.map(([name, group]) => (
              <option key={name} value={name}>
                {groupText(name, group)}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Field>
      <Field label={t('model')}>
        {(id) => (
          <Combobox
            id={id}
            value={settings.model}
            placeholder={t('choose-model')}
            choices={models.map((name) => ({ value: name, label: name }))}
            onChange={(model) => onChange({ model })}
          />
        )}
      </Field>
      <Field label={t('temperature', { value: settings.temperature })}>
        {(id) => (
          <div id={id} className="slider-box">
            <Slider
              min={0}
              max={1}
              stepSize={0.1}
              labelStepSize={0.5}
              value={settings.temperature}
              handleHtmlProps={{ 'aria-label': t('temperature-label') }}
              onChange={(temperature) => onChange({ temperature })}
            />
          </div>
        )}
      </Field>
      <Field label={t('max-tokens')} hint={t('max-tokens-hint')}>
        {(id) => (
          <InputGroup
            id={id}
            inputMode="numeric"
            value={settings.max_tokens === 0 ? '' : String(settings.max_tokens)}
            onValueChange={(text) => onChange({ max_tokens: Number.parseInt(text, 10) || 0 })}
          />
        )}
      </Field>
      <Field label={t('system')}>
        {(id) => (
          <TextArea
            id={id}
            fill
            autoResize
            value={settings.system}
            onChange={(event) => onChange({ system: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
};
