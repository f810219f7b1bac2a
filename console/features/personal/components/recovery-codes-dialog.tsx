import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { Download, Duplicate } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../shared/clipboard.ts';
import { saveFile } from '../../../shared/download.ts';
import { useStatus } from '../../../shared/status.ts';

type Props = Readonly<{ codes: readonly string[]; onClose: () => void }>;

/** Shown once: only hashes are stored. */
export const RecoveryCodesDialog = ({ codes, onClose }: Props) => {
  const { t } = useTranslation('factor');
  const { system_name } = useStatus();
  const copy = useCopy();
  const text = codes.join('\n');
  return (
    <Dialog
      isOpen
      onClose={onClose}
      canOutsideClickClose={false}
      title={t('codes-title')}
      className="tg-dialog"
    >
      <DialogBody>
        <Callout intent="warning" className="factor-note">
          {t('codes-once')}
        </Callout>
        <ul className="recovery-codes mono" aria-label={t('codes-title')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="factor-actions">
          <Button
            icon={<Duplicate />}
            text={t('codes-copy')}
            onClick={() => void copy(text, t('codes-copied'))}
          />
          <Button
            icon={<Download />}
            text={t('codes-download')}
            onClick={() => saveFile(`${system_name}-recovery-codes.txt`, `${text}\n`, 'text/plain')}
          />
        </div>
      </DialogBody>
      <DialogFooter
        actions={<Button intent="primary" text={t('codes-done')} onClick={onClose} />}
      />
    </Dialog>
  );
};
