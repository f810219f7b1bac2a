import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core';
import { CaretDown, Download } from '@blueprintjs/icons';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast.ts';

export type ExportFormat = 'csv' | 'json';

type Props = Readonly<{ onExport: (format: ExportFormat) => Promise<void> }>;

/** Everything under the current filters, of any length, as the server streams it. */
export const ExportButton = ({ onExport }: Props) => {
  const { t } = useTranslation('common');
  const run = useMutation({
    mutationFn: onExport,
    onSuccess: () => toast('success', t('export-done')),
  });
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      content={
        <Menu>
          <MenuItem text={t('export-csv')} onClick={() => run.mutate('csv')} />
          <MenuItem text={t('export-json')} onClick={() => run.mutate('json')} />
        </Menu>
      }
    >
      <Button
        icon={<Download />}
        endIcon={<CaretDown />}
        text={t('export')}
        loading={run.isPending}
      />
    </PopoverNext>
  );
};
