import { Tab, Tabs } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { OptionControl } from './option-control.tsx';
import type { OptionKey, SettingField } from './option-fields.ts';
import type { SettingForm } from './use-setting-form.ts';

type Props = Readonly<{ form: SettingForm }>;

const OneField = ({ form, field }: Props & Readonly<{ field: SettingField }>) => {
  const [key, kind] = field;
  const isDisabled = form.locked.includes(key);
  return (
    <fieldset className={`setting-field is-${kind}`} data-option={key} disabled={isDisabled}>
      <OptionControl
        field={field}
        value={form.textOf(field)}
        problem={form.problemIn(field)}
        isDisabled={isDisabled}
        onChange={(value) => form.change(key, value)}
      />
    </fieldset>
  );
};

/** The options of a card below each other, in columns where they are short. */
export const SettingFields = ({ form }: Props) => (
  <div className="setting-fields">
    {form.fields.map((field) => (
      <OneField key={field[0]} form={form} field={field} />
    ))}
  </div>
);

type TabProps = Props & Readonly<{ shown: OptionKey; onShow: (key: OptionKey) => void }>;

/** Tables that are long: one at a time. */
export const TabbedFields = ({ form, shown, onShow }: TabProps) => {
  const { t } = useTranslation('setting');
  const field = form.fields.find(([key]) => key === shown);
  const isChanged = (key: OptionKey) => form.changed.some(([own]) => own === key);
  const panel = field && <OneField key={shown} form={form} field={field} />;
  return (
    <div className="setting-tabs">
      <Tabs
        id="maps"
        renderActiveTabPanelOnly
        selectedTabId={shown}
        onChange={(next) => {
          const found = form.fields.find(([key]) => key === next);
          if (found) onShow(found[0]);
        }}
      >
        {form.fields.map(([key]) => (
          <Tab
            key={key}
            id={key}
            title={isChanged(key) ? `${t(`label.${key}`)} •` : t(`label.${key}`)}
            panel={panel}
          />
        ))}
      </Tabs>
    </div>
  );
};
