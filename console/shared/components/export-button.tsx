import { Button, MenuItem, PopoverNext } from '@blueprintjs/core';
import { CaretDown, Download } from '@blueprintjs/icons';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast.ts';
import { ActionMenu } from './action-menu.tsx';

type ExportFormat = 'csv' | 'json';

type MenuProps = Readonly<{
  isPending: boolean;
  choices: readonly (readonly [text: string, onChoose: () => void])[];
}>;

/** What can be exported, behind one button. */
export const ExportMenu = ({ isPending, choices }: MenuProps) => {
  const { t } = useTranslation('common');
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      content={
        <ActionMenu>
          {choices.map(([text, onChoose]) => (
            <MenuItem key={text} text={text} onClick={onChoose} />
          ))}
        </ActionMenu>
      }
    >
      <Button icon={<Download />} endIcon={<CaretDown />} text={t('export')} loading={isPending} />
    </PopoverNext>
  );
};

type Props = Readonly<{ onExport: (format: ExportFormat) => Promise<void> }>;

/** Everything under the current filters, of any length, as the server streams it. */
export const ExportButton = ({ onExport }: Props) => {
  const { t } = useTranslation('common');
  const run = useMutation({
    mutationFn: onExport,
    onSuccess: () => toast('success', t('export-done')),
  });
  return (
    <ExportMenu
      isPending={run.isPending}
      choices={[
        [t('export-csv'), () => run.mutate('csv')],
        [t('export-json'), () => run.mutate('json')],
      ]}
    />
  );
};
