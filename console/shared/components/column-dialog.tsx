import {
  Button,
  Checkbox,
  Dialog,
  DialogBody,
  DialogFooter,
  SegmentedControl,
} from '@blueprintjs/core';
import { ColumnLayout } from '@blueprintjs/icons';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { densities, useDensity } from '../hooks/use-density.ts';
import { isRecord, type LocalKey, readLocalJson, writeLocal } from '../local-values.ts';

type Shown = Readonly<Record<string, boolean>>;

/** Which columns a user sees; kept in the browser. What is not kept is as in `defaults`. */
const useShown = (key: LocalKey, defaults: Shown): readonly [Shown, (shown: Shown) => void] => {
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

const DensityChoice = () => {
  const { t } = useTranslation('common');
  const [density, change] = useDensity();
  return (
    <div className="density-choice">
      <span>{t('density')}</span>
      <SegmentedControl
        size="small"
        aria-label={t('density')}
        options={densities.map((value) => ({ value, label: t(`density.${value}`) }))}
        value={density}
        onValueChange={(value) => change(value === 'comfortable' ? value : 'compact')}
      />
    </div>
  );
};

const ColumnDialog = ({ isOpen, titles, shown, defaults, onChange, onClose }: Props) => {
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
        <DensityChoice />
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

type Titled = Readonly<{ key: string; title: string; isWide?: boolean }>;
type Choice<C extends Titled> = Readonly<{ columns: readonly C[]; button: ReactNode }>;

/**
 * The columns that a user selected, those with actions always, and the button for the selection.
 */
export const useColumnChoice = <C extends Titled>(
  storedAs: LocalKey,
  columns: readonly C[],
  hidden: readonly string[] = [],
): Choice<C> => {
  const { t } = useTranslation('common');
  const defaults = Object.fromEntries(columns.map(({ key }) => [key, !hidden.includes(key)]));
  const [shown, change] = useShown(storedAs, defaults);
  const [isOpen, setOpen] = useState(false);
  const titled = columns.filter(({ isWide }) => !isWide);
  const button = (
    <>
      <Button
        className="is-wide-only"
        icon={<ColumnLayout />}
        text={t('columns')}
        onClick={() => setOpen(true)}
      />
      <ColumnDialog
        isOpen={isOpen}
        titles={Object.fromEntries(titled.map(({ key, title }) => [key, title]))}
        shown={shown}
        defaults={defaults}
        onChange={change}
        onClose={() => setOpen(false)}
      />
    </>
  );
  return { columns: columns.filter(({ key, isWide }) => isWide || shown[key]), button };
};
