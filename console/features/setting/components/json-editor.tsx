import { Button, ButtonGroup } from '@blueprintjs/core';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../shared/clipboard.ts';
import { saveFile } from '../../../shared/download.ts';
import { toast } from '../../../shared/toast.ts';
import { JsonLines } from './json-lines.tsx';
import { JsonOrForm } from './json-or-form.tsx';
import { type JsonTable, readTable, writeTable } from './json-tables.ts';

type Props = Readonly<{
  /** The name of the option; a file of it is called so too. */
  name: string;
  label: string;
  /** What is wrong, else what the option does. */
  hint: ReactNode;
  isWrong: boolean;
  table: JsonTable;
  value: string;
  area: (id: string) => ReactNode;
  /** Next to the label, after the buttons of the editor. */
  aside: ReactNode;
  onChange: (value: string) => void;
}>;

const maxFileBytes = 1_000_000;

type ToolProps = Pick<Props, 'name' | 'value' | 'onChange'>;

/** A JSON text goes out and in: by the clipboard and as a file. */
const JsonTools = ({ name, value, onChange }: ToolProps) => {
  const { t } = useTranslation(['setting', 'common']);
  const copy = useCopy();
  const file = useRef<HTMLInputElement>(null);
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    if (chosen.size > maxFileBytes) return toast('error', t('json-file-large'));
    onChange(await chosen.text());
  };
  return (
    <ButtonGroup className="json-tools">
      <Button
        size="small"
        text={t('common:copy')}
        onClick={() => void copy(value, t('json-copied'))}
      />
      <Button
        size="small"
        text={t('json-download')}
        onClick={() => saveFile(`${name}.json`, value, 'application/json')}
      />
      <Button size="small" text={t('json-upload')} onClick={() => file.current?.click()} />
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('json-upload')}
        onChange={(event) => {
          void read(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
    </ButtonGroup>
  );
};

/** A JSON option as a table; its text can be copied, kept as a file and read back. */
export const JsonEditor = (props: Props) => {
  const { label, hint, isWrong, table, value, area, aside, onChange } = props;
  const { t } = useTranslation('setting');
  const lines = readTable(table, value);
  const form = lines && (
    <JsonLines
      label={label}
      table={table}
      lines={lines}
      onChange={(next) => onChange(writeTable(table, next))}
    />
  );
  return (
    <JsonOrForm
      {...{ label, hint, isWrong, aside, form }}
      formText={t('json-as-table')}
      text={(id) => (
        <>
          {area(id)}
          <JsonTools {...props} />
        </>
      )}
    />
  );
};
