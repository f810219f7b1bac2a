import { Button, Checkbox, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRecord, type LocalKey, readLocalJson, writeLocal } from '../local-values.ts';

export type Shown = Readonly<Record<string, boolean>>;

/** Which columns a user sees; kept in the browser. What is not kept is as in `defaults`. */
export const useColumns = (
  key: LocalKey,
  defaults: Shown,
): readonly [Shown, (shown: Shown) => void] => {
  const [kept, setKept] = useState(() => readLocalJson(key, isRecord) ?? {});
  const entries = Object.entries(defaults).map(([name, isShown]) => [
    name,
    typeof kept[name] === 'boolean' ? kept[name] : isShown,
  ]);
  const change = (shown: Shown) => {
    writeLocal(key, JSON.stringify(shown));
    setKept(shown);
  };
  return [Object.fromEntries(entries) as Shown, change];
};

type Props = Readonly<{
  isOpen: boolean;
  titles: Readonly<Record<string, string>>;
  shown: Shown;
  defaults: Shown;
  onChange: (shown: Shown) => void;
  onClose: () => void;
}>;

export const ColumnDialog = ({ isOpen, titles, shown, defaults, onChange, onClose }: Props) => {
  const { t } = useTranslation('common');
  const [before, setBefore] = useState(shown);
  const names = Object.keys(titles);
  const chosen = names.filter((name) => shown[name]);
  return (
    <Dialog
      isOpen={isOpen}
      onOpening={() => setBefore(shown)}
      onClose={onClose}
      title={t('columns')}
      className="tg-dialog"
    >
      <DialogBody>
        <Checkbox
          label={t('select-all')}
          checked={chosen.length === names.length}
          indeterminate={chosen.length > 0 && chosen.length < names.length}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            onChange({ ...shown, ...Object.fromEntries(names.map((name) => [name, checked])) });
          }}
        />
        <div className="column-choices">
          {names.map((name) => (
            <Checkbox
              key={name}
              label={titles[name] ?? name}
              checked={shown[name] ?? false}
              onChange={(event) => onChange({ ...shown, [name]: event.currentTarget.checked })}
            />
          ))}
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('reset')} onClick={() => onChange(defaults)} />
            <Button
              text={t('cancel')}
              onClick={() => {
                onChange(before);
                onClose();
              }}
            />
            <Button intent="primary" text={t('ok')} onClick={onClose} />
          </>
        }
      />
    </Dialog>
  );
};
